import { assemble } from './config/assemble.ts';
import { checkSettings } from './config/check.ts';
import { makeComplaints } from './config/complaints.ts';
import { ConfigError } from './config/config-error.ts';
import { readEnvironment } from './config/environment.ts';
import { loginName } from './config/login-name.ts';
import { type Setting, settings } from './config/settings.ts';
import type { Config } from './config/types.ts';
import { warningsAbout } from './config/warnings.ts';

export { ConfigError } from './config/config-error.ts';
export { describeConfig } from './config/describe.ts';
export type * from './config/types.ts';

/** The person at the command line: `SUDO_USER`, else the login name. */
export const personHere = (): string => loginName(process.env);

const all: Readonly<Record<string, Setting<unknown>>> = settings;

const namesWhere = (holds: (setting: Setting<unknown>) => boolean): readonly string[] =>
  Object.keys(all).filter((name) => all[name] !== undefined && holds(all[name]));

/** The names of all settings. */
export const settingNames = namesWhere(() => true);

/** Those that may also come as `NAME_FILE`, the path of a file that holds them. */
export const secretNames = namesWhere((setting) => setting.secret === true);

const neverEmpty = namesWhere((setting) => setting.neverEmpty === true);

/**
 * Reads all settings from the environment and from the `.env` of the working folder. Throws ConfigError with a line
 * for each that is missing or wrong; no line holds a value.
 */
export const readConfig = (
  env: Readonly<Record<string, string | undefined>> = process.env,
  cwd: string = process.cwd(),
): Config => {
  const raw = readEnvironment(env, cwd, { names: settingNames, secrets: secretNames, neverEmpty });
  const { values, wrong } = checkSettings(raw.values);
  const complaints = makeComplaints(raw, wrong);
  const config = assemble(values, cwd, complaints);
  if (complaints.lines.length > 0) throw new ConfigError(complaints.lines);
  const known = [...settingNames, ...secretNames.map((name) => `${name}_FILE`)];
  const given = secretNames.filter((name) => raw.values[name] !== undefined);
  return {
    ...config,
    givenSecrets: Object.fromEntries(given.map((name) => [name, raw.files[name] ?? null])),
    warnings: warningsAbout(config, raw.names, known),
  };
};
