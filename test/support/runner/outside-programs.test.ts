import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { importsOf } from '../tree/imports.ts';
import { root } from '../tree/root.ts';
import { outsidePrograms, usesOutsideProgram } from './outside-programs.ts';

const TABLE = 'test/support/runner/outside-programs.ts';

const sources = new Map(
  readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => {
      const path = `test/${name.replaceAll('\\', '/')}`;
      return [path, importsOf({ path, text: readFileSync(join(root, path), 'utf8') })] as const;
    }),
);

/** The files that reach the table of programs by their imports, which is how a program of it is found. */
const reaching = (): ReadonlySet<string> => {
  const found = new Set([TABLE]);
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const [path, imports] of sources)
      if (imports.some((target) => target !== undefined && found.has(target))) found.add(path);
  }
  return found;
};

describe('A suite that can start a program which is not Node.js', () => {
  it('belongs to the second tier', () => {
    const suites = [...reaching()].filter((path) => path.endsWith('.test.ts'));
    expect(suites).to.have.length.above(50);
    const own = 'test/support/runner/outside-programs.test.ts';
    expect(suites.filter((path) => path !== own && !usesOutsideProgram(path))).to.deep.equal([]);
  });
});

describe('The table of outside programs', () => {
  it('names parts of the paths of suites that are there', () => {
    const suites = [...sources.keys()].filter((path) => path.endsWith('.test.ts'));
    const parts = outsidePrograms.flatMap((program) => program.suites);
    expect(parts).to.have.length.above(20);
    expect(parts.filter((part) => !suites.some((path) => path.includes(part)))).to.deep.equal([]);
  });
});
