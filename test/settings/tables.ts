import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Setting } from '../../adapters/config/setting.ts';
import { sections } from '../../adapters/config/settings.ts';
import { root } from '../support/tree/root.ts';

export const DOCUMENT = 'docs/settings.md';

const ROWS = 'adapters/config/settings';

/** The comment of each row by its key, its first paragraph alone: the next ones are about the code. */
const comments = (): ReadonlyMap<string, string> => {
  const files = [...readdirSync(join(root, ROWS)).map((name) => join(ROWS, name)), 'core/rate-limits.ts'];
  const rows = files.flatMap((file) => [
    ...readFileSync(join(root, file), 'utf8').matchAll(/^ {2}\/\*\*((?:(?!\*\/).)*)\*\/\n {2}(\w+): /gms),
  ]);
  return new Map(
    rows.map(([, comment = '', key = '']) => {
      const lines = comment.split('\n').map((line) => line.replace(/^ *\*? ?/, ''));
      const [first = ''] = lines.join('\n').trim().split('\n\n');
      return [key, first.replaceAll('\n', ' ').trim()];
    }),
  );
};

const quoted = (text: string) => (text.includes('`') ? text : `\`${text}\``);

const rowOf = ({ name, secret, byDefault, default: value, example }: Setting<unknown>, comment: string) => {
  const cells = [
    `\`${name}\``,
    byDefault ?? (value === undefined ? '–' : quoted(value)),
    secret ? `*secret*. ${comment}` : comment,
    example === undefined ? '–' : quoted(example),
  ];
  return `| ${cells.join(' | ')} |`;
};

const HEAD = '| Setting | Default | Meaning | Example |\n|---|---|---|---|\n';

/** The document with the tables made of the rows and their comments; all other text stays. */
export const withTables = (document: string): string => {
  const meanings = comments();
  return sections.reduce((text, { title, rows }) => {
    const heading = new RegExp(`^#{2,3} ${title.replaceAll(/[^\w\s]/g, '.')}$`, 'm').exec(text);
    const start = heading === null ? -1 : text.indexOf(HEAD, heading.index);
    if (start < 0) throw new Error(`${DOCUMENT} has no table under the heading "${title}".`);
    const end = text.indexOf('\n\n', start);
    const lines = Object.entries(rows).map(([key, row]) => {
      const meaning = meanings.get(key);
      if (meaning === undefined) throw new Error(`${row.name} has no comment above its row.`);
      return rowOf(row, meaning);
    });
    return `${text.slice(0, start)}${HEAD}${lines.join('\n')}${text.slice(end)}`;
  }, document);
};
