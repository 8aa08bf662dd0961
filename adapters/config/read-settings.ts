import type { Section } from './all-settings.ts';
import type { Setting, SettingContext, Settings, ValuesOf } from './declare-setting.ts';
import type { RawSettings } from './environment.ts';
import { running } from './settings/running.ts';
import { isLoopback } from './value-parsers.ts';

/** The text that `config check` shows for a value. */
const describeValue = ({ byDefault, secret, show }: Setting<unknown>, value: unknown): string | number => {
  if (value === null || (Array.isArray(value) && value.length === 0))
    return byDefault?.replaceAll('`', '') ?? 'not set';
  if (show !== undefined) return show(value);
  if (secret) return 'set, not shown';
  return typeof value === 'number' ? value : String(value);
};

/** The settings as parsed, with defaults filled in. */
export interface ParsedSettings {
  valuesOf<S extends Settings>(rows: S): ValuesOf<S>;
  readonly context: SettingContext;
  /** The settings in use, as `config check` shows them: secrets are hidden. */
  readonly shown: Readonly<Record<string, string | number>>;
  /** One line for each missing or wrong setting, in the order of the documentation. */
  readonly problems: readonly string[];
}

/** Parses and checks the settings. The default replaces a wrong value, so that settings that depend on it are checked too. */
export const readSettings = (raw: RawSettings, cwd: string, sections: readonly Section[]): ParsedSettings => {
  const settings = sections.flatMap(({ rows }) => Object.values(rows));
  const values = new Map<string, unknown>();
  const texts: Record<string, string | undefined> = {};
  const problems = new Map<string, string>();

  for (const setting of settings) {
    const { name, must, default: ownDefault } = setting;
    const text = raw.values[name];
    const value = text === undefined ? undefined : setting.read(text, cwd);
    if (text !== undefined && value === undefined) problems.set(name, `be ${must}`);
    texts[name] = value === undefined ? ownDefault : text;
    values.set(name, value ?? (ownDefault === undefined ? undefined : setting.read(ownDefault, cwd)));
  }
  const valuesOf = <S extends Settings>(rows: S) =>
    Object.fromEntries(Object.entries(rows).map(([key, row]) => [key, values.get(row.name)])) as ValuesOf<S>;

  // These have static defaults, so they are known before the defaults that depend on the context.
  const { production, host, accountsPort, dataDir } = valuesOf(running);
  const trial = !production && isLoopback(host);
  const context: SettingContext = { production, trial, host, accountsPort, dataDir, texts };
  for (const setting of settings) {
    values.set(setting.name, values.get(setting.name) ?? setting.orElse?.(context) ?? null);
  }

  const activeSettings = sections
    .filter(({ applies }: Section) => applies?.(texts) ?? true)
    .flatMap(({ rows }) => Object.values(rows));
  for (const setting of activeSettings) {
    const must = setting.check?.(values.get(setting.name), context);
    if (must && !problems.has(setting.name)) problems.set(setting.name, must);
  }
  const visible = activeSettings.filter(
    ({ usedWith }) => usedWith === undefined || texts[usedWith] !== undefined,
  );
  return {
    valuesOf,
    context,
    shown: Object.fromEntries(
      visible.map((setting) => [setting.name, describeValue(setting, values.get(setting.name))]),
    ),
    problems: settings
      .filter(({ name }) => problems.has(name))
      .map(({ name }) => `${raw.labels[name] ?? name} must ${problems.get(name)}.`),
  };
};
