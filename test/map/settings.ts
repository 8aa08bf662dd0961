import { plain, sections, settings } from '../../adapters/config/all-settings.ts';
import { buildConfig } from '../../adapters/config/build-config.ts';
import type { Setting, SettingContext, Settings, ValuesOf } from '../../adapters/config/declare-setting.ts';
import { filesIn, load, read } from './sources.ts';

const CONFIG = 'adapters/config';
const ROWS = 'adapters/config/settings';

export interface MappedSetting {
  readonly name: string;
  /** The heading of its table in docs/settings.md. */
  readonly section: string;
  /** The file that has its row. */
  readonly row: string;
  /** The members of `Config` that have its value, alone or with others. */
  readonly members: readonly string[];
  /** The files that read one of those members. */
  readonly readers: readonly string[];
}

/** Whether a value of a module is or contains the row, down to a depth. */
const has = (value: unknown, row: unknown, depth = 2): boolean =>
  value === row ||
  (depth > 0 &&
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).some((member) => has(member, row, depth - 1)));

/**
 * Values of settings on which the assembly of `Config` branches, the usual value first. For other settings any text is
 * sufficient.
 */
const CHOICES: Readonly<Record<string, readonly unknown[]>> = {
  BILLING: ['sandbox', 'polar', 'none'],
  KMS: ['local', 'aws', 'vault'],
  OBJECTS_URL: [{ bucket: 'one' }, { bucket: 'another' }],
  OIDC_PROVIDERS: [['ID', 'apple', 'microsoft', 'github'], []],
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: [null, 'an address'],
  OTEL_TRACES_EXPORTER: ['otlp', 'none'],
  PASSKEYS: [true, false],
  SENDGRID_API_KEY: [null, 'a key'],
  SMTP_PLAIN: [null, 'allow'],
  SMTP_URL: [null, 'an address'],
  WEBHOOK_SECRETS: [{ given: ['one'] }, { given: ['another'] }],
};

type Values = Readonly<Record<string, unknown>>;

const USUAL: Values = Object.fromEntries(Object.entries(CHOICES).map(([name, [value]]) => [name, value]));

/** The usual values, and variants with one value replaced. */
const SCENARIOS: readonly Values[] = [
  USUAL,
  ...Object.entries(CHOICES).flatMap(([name, [, ...others]]) =>
    others.map((value) => ({ ...USUAL, [name]: value })),
  ),
];

const contextWith = (texts: SettingContext['texts']): SettingContext => ({
  production: false,
  trial: false,
  host: '127.0.0.1',
  accountsPort: 3_000,
  dataDir: 'data',
  texts,
});

/** Each member of `Config` as JSON, assembled from these values of settings. */
const assembleWith = (values: Values): Readonly<Record<string, string | undefined>> => {
  const valueFor = ({ name }: Setting<unknown>) => (name in values ? values[name] : `value of ${name}`);
  const config = buildConfig({
    valuesOf: <S extends Settings>(rows: S) =>
      Object.fromEntries(Object.entries(rows).map(([key, row]) => [key, valueFor(row)])) as ValuesOf<S>,
    context: contextWith({}),
    shown: {},
    problems: [],
  });
  return Object.fromEntries(Object.entries(config).map(([member, value]) => [member, JSON.stringify(value)]));
};

const CONFIGS = SCENARIOS.map((values) => ({ values, config: assembleWith(values) }));

/** The members of `Config` that another value of a setting changes in any scenario. */
const membersChangedBy = (name: string): readonly string[] => {
  const changed = CONFIGS.flatMap(({ values, config }) =>
    (CHOICES[name] ?? ['another value']).flatMap((value) => {
      const other = assembleWith({ ...values, [name]: value });
      return Object.keys(config).filter((member) => config[member] !== other[member]);
    }),
  );
  return [...new Set(changed)].toSorted();
};

/** The settings whose default depends on that setting. */
const dependentsOf = (name: string, rows: readonly Setting<unknown>[]): readonly Setting<unknown>[] =>
  rows.filter(({ orElse }) => {
    const read = new Set<unknown>();
    const texts = new Proxy<SettingContext['texts']>({}, { get: (_, text) => void read.add(text) });
    orElse?.(contextWith(texts));
    return read.has(name);
  });

/**
 * The members of `Config` that depend on a setting, found by trying the assembly. Throws if there are none: then the choices
 * above lack a value.
 */
const membersOf = (key: string, row: Setting<unknown>): readonly string[] => {
  if (key in plain) return [key];
  const names = [row, ...dependentsOf(row.name, settings)].map(({ name }) => name);
  const members = names.flatMap(membersChangedBy);
  if (members.length === 0) throw new Error(`No member of Config is found that has ${row.name}.`);
  return [...new Set(members)].toSorted();
};

/** Folders whose `config` is that of the pages in the browser. */
const OTHER_CONFIG = /^servers\/(?:pages|web)\//;

const readersByMember = new Map<string, readonly string[]>();

/** The files that read a member of `Config`; the result is cached. */
const readersOf = (member: string): readonly string[] => {
  const readers = readersByMember.get(member) ?? searchReaders(member);
  readersByMember.set(member, readers);
  return readers;
};

/** The files that read a member of `Config`; for a member that only other settings read, the files of these settings. */
const searchReaders = (member: string): readonly string[] => {
  const taken = new RegExp(
    `[cC]onfig\\.${member}\\b|\\{[^{}]*\\b${member}\\b[^{}]*\\}(?:: (?:Pick<)?Config\\b| = config\\b)|Pick<\\s*Config,[^>]*'${member}'`,
  );
  const files = ['adapters', 'servers', 'cli']
    .flatMap(filesIn)
    .filter((path) => !path.startsWith(CONFIG) && !OTHER_CONFIG.test(path));
  const readers = files.filter((path) => taken.test(read(path)));
  if (readers.length > 0) return readers;
  const word = new RegExp(`\\b${member}\\b`);
  return filesIn(CONFIG).filter((path) => !path.startsWith(ROWS) && word.test(read(path)));
};

/** Every setting, in the order of the documentation. */
export const listSettings = async (): Promise<readonly MappedSetting[]> => {
  const modules = await Promise.all(filesIn(ROWS).map(async (path) => ({ path, members: await load(path) })));
  return sections.flatMap(({ title, rows }) =>
    Object.entries(rows).map(([key, row]) => {
      const home = modules.find(({ members }) => has(members, row, 3));
      const members = membersOf(key, row);
      const readers = [...new Set(members.flatMap(readersOf))].toSorted();
      return { name: row.name, section: title, row: home?.path ?? '', members, readers };
    }),
  );
};
