import { is, OBJECT, orNull, requireArguments, TEXT } from '../core/arguments.ts';
import { assemble } from './config/assemble.ts';
import { ConfigError } from './config/config-error.ts';
import { readEnvironment } from './config/environment.ts';
import { loginName } from './config/login-name.ts';
import { readSettings } from './config/read-settings.ts';
import type { Setting } from './config/setting.ts';
import { providersIn } from './config/settings/sign-in.ts';
import { sectionsWith, settings } from './config/settings.ts';
import type { Config } from './config/types.ts';
import { warningsAbout } from './config/warnings.ts';

export { ConfigError } from './config/config-error.ts';
export type * from './config/types.ts';

/** The name of the person who runs a command: `SUDO_USER`, else the login name. */
export const personHere = (): string => loginName(process.env);

const namesOf = (some: readonly Setting<unknown>[]): readonly string[] => some.map(({ name }) => name);

/** The names of all settings. Those of each provider have ID for its id. */
export const settingNames = namesOf(settings);

/** Settings that may also be given as `NAME_FILE`, the path of a file with the value. */
export const secretNames = namesOf(settings.filter(({ secret }) => secret));

/** For calls that take what `readConfig` gives. */
export const CONFIG = is(
  'what readConfig gives',
  (value) =>
    typeof value === 'object' && value !== null && ['dataDir', 'kms', 'shown'].every((name) => name in value),
);

/**
 * Reads all settings from the environment and from the `.env` file of the working folder (null: from none). Throws
 * ConfigError with a line for each that is missing or wrong. No line contains a value.
 */
export const readConfig = (
  env: Readonly<Record<string, string | undefined>> = process.env,
  cwd: string | null = process.cwd(),
): Config => {
  requireArguments([env, cwd], { env: OBJECT, cwd: orNull(TEXT) });
  const { values: first } = readEnvironment(env, cwd, {
    names: ['OIDC_PROVIDERS'],
    secrets: [],
    neverEmpty: [],
  });
  const sections = sectionsWith(providersIn(first));
  const inForce = sections.flatMap(({ rows }) => Object.values(rows));
  const names = namesOf(inForce);
  const secrets = namesOf(inForce.filter(({ secret }) => secret));
  const neverEmpty = namesOf(inForce.filter((setting) => setting.neverEmpty));
  const raw = readEnvironment(env, cwd, { names, secrets, neverEmpty });
  const read = readSettings(raw, cwd ?? process.cwd(), sections);
  const problems = [...raw.problems, ...read.problems];
  if (problems.length > 0) throw new ConfigError(problems);
  const config = assemble(read);
  const known = [...names, ...secrets.map((name) => `${name}_FILE`)];
  const given = secrets.filter((name) => raw.values[name] !== undefined);
  return {
    ...config,
    givenSecrets: Object.fromEntries(given.map((name) => [name, raw.files[name] ?? null])),
    warnings: warningsAbout(config, raw.names, known),
  };
};
