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
      const text = readFileSync(join(root, path), 'utf8');
      return [path, { text, imports: importsOf({ path, text }) }] as const;
    }),
);

/** The settings that say where a program or package is, and that no product has. */
const settings = outsidePrograms.flatMap(({ setting = '' }) =>
  setting.startsWith('GATEHOUSE_TEST_') ? [setting] : [],
);

/** The files that reach, by their imports, the table of programs, or a file that reads a setting of the table. */
const reaching = (): ReadonlySet<string> => {
  const readers = [...sources].filter(([, { text }]) => settings.some((name) => text.includes(name)));
  const reached = new Set([TABLE, ...readers.map(([path]) => path)]);
  for (let before = 0; before < reached.size; ) {
    before = reached.size;
    for (const [path, { imports }] of sources)
      if (imports.some((target) => target !== undefined && reached.has(target))) reached.add(path);
  }
  return reached;
};

/** Suites that use, of what they import, the parts that need no program: this one, and two of what the package holds. */
const NEED_NONE = [
  'test/support/runner/outside-programs.test.ts',
  'test/embedding/examples.test.ts',
  'test/embedding/packaging-size.system.test.ts',
];

describe('A suite that can start a program which is not Node.js', () => {
  it('belongs to the second tier', () => {
    const suites = [...reaching()].filter((path) => path.endsWith('.test.ts'));
    expect(suites).to.have.length.above(50);
    const others = suites.filter((path) => !NEED_NONE.includes(path));
    expect(others.filter((path) => !usesOutsideProgram(path))).to.deep.equal([]);
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
