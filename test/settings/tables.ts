import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sections } from '../../adapters/config/all-settings.ts';
import type { Setting } from '../../adapters/config/declare-setting.ts';
import { root } from '../support/tree/root.ts';

export const DOCUMENT = 'docs/settings.md';

const ROWS = 'adapters/config/settings';

const BUCKETS = 'core/rate-limits.ts';

/** A comment, and the name of the setting or bucket below it. */
const ROW = /^ {2}\/\*\*((?:(?!\*\/).)*)\*\/\n {2}(?:\w+: setting\(\s*'(\w+)'|(\w+): \{)/gms;

/** The first paragraph of the comment above each row, by setting. Further paragraphs are about the code. */
const comments = (): ReadonlyMap<string, string> => {
  const files = [...readdirSync(join(root, ROWS)).map((name) => join(ROWS, name)), BUCKETS];
  const rows = files.flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(ROW)]);
  return new Map(
    rows.map(([, comment = '', name, bucket = '']) => {
      const lines = comment.split('\n').map((line) => line.replace(/^ *\*? ?/, ''));
      const [first = ''] = lines.join('\n').trim().split('\n\n');
      return [name ?? `RATE_LIMIT_${bucket.toUpperCase()}`, first.replaceAll('\n', ' ').trim()];
    }),
  );
};

const rowOf = ({ name, secret, byDefault, default: value }: Setting<unknown>, comment: string) => {
  const cells = [
    `\`${name}\``,
    byDefault ?? (value === undefined ? '–' : `\`${value}\``),
    secret ? `*secret*. ${comment}` : comment,
  ];
  return `| ${cells.join(' | ')} |`;
};

const HEAD = '| Setting | Default | Meaning |\n|---|---|---|\n';

/**
 * The document with the tables made from the rows and their comments, each below its heading; a heading that has none
 * yet gets one. All other text stays.
 */
export const withTables = (document: string): string => {
  const meanings = comments();
  return sections.reduce((text, { title, rows }) => {
    const heading = new RegExp(`^#{2,3} ${title.replaceAll(/[^\w\s]/g, '.')}$`, 'm').exec(text);
    if (heading === null) throw new Error(`${DOCUMENT} has no heading "${title}".`);
    const below = heading.index + heading[0].length;
    const [section = ''] = text.slice(below).split(/^(?=#{2,3} )/m, 1);
    const found = section.indexOf(HEAD);
    const start = below + Math.max(found, 0);
    const end = found < 0 ? below : text.indexOf('\n\n', start);
    const lines = Object.values(rows).map((row) => {
      const meaning = meanings.get(row.name);
      if (meaning === undefined) throw new Error(`${row.name} has no comment above its row.`);
      return rowOf(row, meaning);
    });
    return `${text.slice(0, start)}${found < 0 ? '\n\n' : ''}${HEAD}${lines.join('\n')}${text.slice(end)}`;
  }, document);
};
