import { plain, sections } from '../../adapters/config/settings.ts';
import { filesIn, load, read } from './sources.ts';

const CONFIG = 'adapters/config';
const ROWS = 'adapters/config/settings';
const ASSEMBLY = 'adapters/config/assemble.ts';

export interface MappedSetting {
  readonly name: string;
  /** The heading of its table in docs/settings.md. */
  readonly section: string;
  /** The file that has its row. */
  readonly row: string;
  /** The member of `Config` that has its value, alone or with others. */
  readonly member: string;
  /** The files that take that member. */
  readonly readers: readonly string[];
}

/** Whether some object of a module has the row, itself or in one of its objects. */
const has = (value: unknown, row: unknown, depth = 2): boolean =>
  value === row ||
  (depth > 0 &&
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).some((member) => has(member, row, depth - 1)));

/** The members of `Config` that the assembly makes of several settings, each with the text that makes it. */
const parts = () => {
  const [functions = '', whole = ''] = read(ASSEMBLY).split('export const assemble');
  return [...whole.matchAll(/^ {4}(\w+): (.*),$/gm)].map(([, member = '', value = '']) => {
    const [, maker = 'none'] = /^(\w+Of)\(/.exec(value) ?? [];
    const body = new RegExp(`^const ${maker} = .*?^};$`, 'ms').exec(functions)?.[0] ?? '';
    return { member, value, text: `${value}${body}` };
  });
};

/** The part that a setting goes into: the one that takes its group, and of several the one that names its key. */
const partOf = (key: string, groups: readonly string[]): string => {
  const ownKey = new RegExp(`\\b${key}\\b`);
  const ownGroup = new RegExp(`valuesOf\\((?:${groups.join('|')})\\b`);
  const ranked = parts().map(({ member, value, text }) => {
    const takesGroup = ownGroup.test(text);
    const rank = takesGroup && ownKey.test(text) ? 3 : ownKey.test(value) ? 2 : takesGroup ? 1 : 0;
    return { member, rank };
  });
  return ranked.toSorted((a, b) => b.rank - a.rank)[0]?.member ?? '';
};

/** The files that take a member of `Config`; for one that only other settings depend on, those of the settings. */
const readersOf = (member: string): readonly string[] => {
  const taken = new RegExp(
    `[cC]onfig\\.${member}\\b|\\{[^{}]*\\b${member}\\b[^{}]*\\}(?:: (?:Pick<)?Config\\b| = config\\b)|Pick<\\s*Config,[^>]*'${member}'`,
  );
  const files = ['adapters', 'servers', 'cli'].flatMap(filesIn).filter((path) => !path.startsWith(CONFIG));
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
      const groups = Object.entries(home?.members ?? {}).filter(([, group]) => has(group, row));
      const member =
        key in plain
          ? key
          : partOf(
              key,
              groups.map(([name]) => name),
            );
      return { name: row.name, section: title, row: home?.path ?? '', member, readers: readersOf(member) };
    }),
  );
};
