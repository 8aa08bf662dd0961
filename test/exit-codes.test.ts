import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { exitCodes } from '../adapters/exit-codes.ts';
import { withoutComments } from './support/tree/imports.ts';
import { root } from './support/tree/root.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** The codes in the first table of a document that has a column of them. */
const documented = (file: string) => {
  const [, rows = ''] = /\| Code \| Meaning \|\n *\|---\|---\|\n((?: *\|.*\n)+)/.exec(read(file)) ?? [];
  return [...rows.matchAll(/^ *\| (\d+) \|/gm)].map(([, code]) => Number(code));
};

const all: readonly number[] = Object.values(exitCodes);

describe('The exit codes', () => {
  it('are all in docs/commands.md', () => {
    expect(documented('docs/commands.md')).to.deep.equal(all);
  });

  it('are in the runbook of the servers, except that of wrong usage', () => {
    expect(documented('docs/operating.md')).to.deep.equal(
      all.filter((code) => code !== exitCodes.wrongUsage),
    );
  });

  it('are used by name wherever a process ends, and include the numbers in the unbuilt launchers', () => {
    const files = ['cli', 'servers'].flatMap((layer) =>
      readdirSync(join(root, layer), { recursive: true, encoding: 'utf8' }).map((file) => join(layer, file)),
    );
    const numbers = files
      .filter((file) => /\.m?[jt]s$/.test(file))
      .flatMap((file) =>
        [...withoutComments(read(file)).matchAll(/(?:exit\(|exitCode = |BuildError\([^;]*, )(\d+)/g)].map(
          ([, code]) => ({ file, code: Number(code) }),
        ),
      );
    expect(numbers).to.have.length.above(3);
    for (const { file, code } of numbers) {
      expect(file, `${code} has a name in adapters/exit-codes.ts`).to.match(/^cli\/.*\.mjs$/);
      expect(all, file).to.include(code);
    }
  });
});
