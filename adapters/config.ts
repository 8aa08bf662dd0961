import { requireArguments } from '../core/check-arguments.ts';
import { custom, nullable, OBJECT, TEXT } from '../core/schema.ts';
import { sectionsWith, settings } from './config/all-settings.ts';
import { buildConfig } from './config/build-config.ts';
import { ConfigError } from './config/config-error.ts';
import type { Config } from './config/config-types.ts';
import type { Setting } from './config/declare-setting.ts';
import { readEnvironment } from './config/environment.ts';
import { readSettings } from './config/read-settings.ts';
import { providersIn, signIn } from './config/settings/providers.ts';
import { warningsAbout } from './config/warnings.ts';

export { ConfigError } from './config/config-error.ts';
export type * from './config/config-types.ts';
export { operatorName } from './config/operator-name.ts';

const namesOf = (rows: readonly Setting<unknown>[]): readonly string[] => rows.map(({ name }) => name);

/** The names of all settings. Settings of each provider have ID in place of its id. */
export const settingNames = namesOf(settings);

/** Settings that may also be given as `NAME_FILE`, the path of a file with the value. */
export const secretNames = namesOf(settings.filter(({ secret }) => secret));

/** The schema of an argument that must be the result of `readConfig`. */
export const CONFIG = custom(
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
  requireArguments([env, cwd], { env: OBJECT, cwd: nullable(TEXT) });
  // The ids of the providers decide which settings exist.
  const { values: providerValues } = readEnvironment(env, cwd, [signIn.providerIds]);
  const sections = sectionsWith(providersIn(providerValues));
  const allSettings = sections.flatMap(({ rows }) => Object.values(rows));
  const secrets = namesOf(allSettings.filter(({ secret }) => secret));
  const raw = readEnvironment(env, cwd, allSettings);
  const parsed = readSettings(raw, cwd ?? process.cwd(), sections);
  const problems = [...raw.problems, ...parsed.problems];
  if (problems.length > 0) throw new ConfigError(problems);
  const config = buildConfig(parsed);
  const allNames = [...namesOf(allSettings), ...secrets.map((name) => `${name}_FILE`)];
  const secretsSet = secrets.filter((name) => raw.values[name] !== undefined);
  return {
    ...config,
    secretSources: Object.fromEntries(secretsSet.map((name) => [name, raw.files[name] ?? null])),
    warnings: warningsAbout(config, raw.names, allNames),
  };
};
