import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { root } from '../support/tree/root.ts';
import { examples } from './installed.ts';

const docs = join(root, 'docs');

/** The programs of an example; its suite and what npm, a compiler or a framework puts beside them are none. */
const programsOf = (name: string): readonly string[] =>
  readdirSync(join(docs, 'examples', name), { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.test)\.[jt]s$/.test(path) && !/^(?:node_modules|\.next|dist)\//.test(path))
    .map((path) => join('examples', name, path));

/** Those with text. */
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

  it('has each example with its programs, and with the lines that they have', () => {
    const due = examples.map((name) => {
      const files = programsOf(name).toSorted();
      return { name, files, lines: files.reduce((sum, path) => sum + linesOf(path), 0) };
    });
    expect(rows.map((row) => ({ ...row, files: row.files.toSorted() }))).to.have.deep.members(due);
  });

  it('has no server of more than 60 lines', () => {
    const long = rows.filter(({ name, lines }) => name !== 'own-store' && lines > 60);
    expect(long).to.deep.equal([]);
  });
});
