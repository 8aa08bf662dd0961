import type { RawSettings } from './environment.ts';
import { isLoopback } from './readers.ts';
import type { Place, Setting, Settings, ValuesOf } from './setting.ts';
import { running } from './settings/running.ts';
import type { Section } from './settings.ts';

/** What `config check` says of a value. */
const shown = ({ byDefault, secret, show }: Setting<unknown>, value: unknown): string | number => {
  if (value === null || (Array.isArray(value) && value.length === 0))
    return byDefault?.replaceAll('`', '') ?? 'not set';
  if (show !== undefined) return show(value);
  if (secret) return 'set, not shown';
  return typeof value === 'number' ? value : String(value);
};

/** The settings as parsed, with defaults filled in. */
export interface SettingsRead {
  valuesOf<S extends Settings>(rows: S): ValuesOf<S>;
  readonly place: Place;
  /** The settings in use, as `config check` shows them: secrets are hidden. */
  readonly shown: Readonly<Record<string, string | number>>;
  /** What is missing or wrong: a line for each setting, in the order of the documentation. */
  readonly problems: readonly string[];
}

/** Parses and checks the settings of the sections. A default stands in for a wrong one, so that those that depend on it are judged too. */
export const readSettings = (raw: RawSettings, cwd: string, sections: readonly Section[]): SettingsRead => {
  const settings = sections.flatMap(({ rows }) => Object.values(rows));
  const values = new Map<string, unknown>();
  const texts: Record<string, string | undefined> = {};
  const problems = new Map<string, string>();

  for (const setting of settings) {
    const { name, must, default: ownDefault } = setting;
    const given = raw.values[name];
    const value = given === undefined ? undefined : setting.read(given, cwd);
    if (given !== undefined && value === undefined) problems.set(name, `be ${must}`);
    texts[name] = value === undefined ? ownDefault : given;
    values.set(name, value ?? (ownDefault === undefined ? undefined : setting.read(ownDefault, cwd)));
  }
  const valuesOf = <S extends Settings>(rows: S) =>
    Object.fromEntries(Object.entries(rows).map(([key, row]) => [key, values.get(row.name)])) as ValuesOf<S>;

  const { production, host, accountsPort, dataDir } = valuesOf(running);
  const trial = !production && isLoopback(host);
  const place: Place = { production, trial, host, accountsPort, dataDir, texts };
  for (const setting of settings) {
    values.set(setting.name, values.get(setting.name) ?? setting.orElse?.(place) ?? null);
  }

  const used = sections
    .filter(({ applies }: Section) => applies?.(texts) ?? true)
    .flatMap(({ rows }) => Object.values(rows));
  for (const setting of used) {
    const must = setting.check?.(values.get(setting.name), place);
    if (must && !problems.has(setting.name)) problems.set(setting.name, must);
  }
  const toShow = used.filter(({ usedWith }) => usedWith === undefined || texts[usedWith] !== undefined);
  return {
    valuesOf,
    place,
    shown: Object.fromEntries(
      toShow.map((setting) => [setting.name, shown(setting, values.get(setting.name))]),
    ),
    problems: settings
      .filter(({ name }) => problems.has(name))
      .map(({ name }) => `${raw.labels[name] ?? name} must ${problems.get(name)}.`),
  };
};
