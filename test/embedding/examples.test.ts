import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { root } from '../support/tree/root.ts';
import { examples } from './installed.ts';

const docs = join(root, 'docs');

/** The programs of an example, without its suite and without files that npm, a compiler or a framework adds. */
const programsOf = (name: string): readonly string[] =>
  readdirSync(join(docs, 'examples', name), { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.test)\.[jt]s$/.test(path) && !/^(?:node_modules|\.next|dist)\//.test(path))
    .map((path) => join('examples', name, path));

/** The number of lines with text. */
const linesOf = (path: string): number =>
  readFileSync(join(docs, path), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '').length;

const ROW = /^\| \[[^\]]+\]\(examples\/([\w-]+)\/README\.md\) \| (.*) \| (\d+) \| .* \|$/gm;

describe('The table of examples', () => {
  const rows = [...readFileSync(join(docs, 'embedding.md'), 'utf8').matchAll(ROW)].map(
    ([, name = '', files = '', lines]) => ({
      name,
      files: [...files.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path),
      lines: Number(lines),
    }),
  );

  it('lists each example with its programs and their numbers of lines', () => {
    const due = examples.map((name) => {
      const files = programsOf(name).toSorted();
      return { name, files, lines: files.reduce((sum, path) => sum + linesOf(path), 0) };
    });
    expect(rows.map((row) => ({ ...row, files: row.files.toSorted() }))).to.have.deep.members(due);
  });

  it('lists no server longer than 60 lines', () => {
    const long = rows.filter(({ name, lines }) => name !== 'own-store' && lines > 60);
    expect(long).to.deep.equal([]);
  });
});
