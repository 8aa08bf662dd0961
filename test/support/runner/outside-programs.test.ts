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

/** The settings of the tests that name a program or package. */
const settings = outsidePrograms.flatMap(({ setting = '' }) =>
  setting.startsWith('GATEHOUSE_TEST_') ? [setting] : [],
);

/** The files that import, directly or indirectly, the table of programs or a file that reads a setting of the table. */
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

/** Suites that import such files but use only parts that start no program. */
const NEED_NO_PROGRAM = [
  'test/support/runner/outside-programs.test.ts',
  'test/embedding/examples.test.ts',
  'test/embedding/packaging-size.system.test.ts',
];

describe('A suite that can start another program than Node.js', () => {
  it('belongs to the second tier', () => {
    const suites = [...reaching()].filter((path) => path.endsWith('.test.ts'));
    expect(suites).to.have.length.above(50);
    const others = suites.filter((path) => !NEED_NO_PROGRAM.includes(path));
    expect(others.filter((path) => !usesOutsideProgram(path))).to.deep.equal([]);
  });
});

describe('The table of outside programs', () => {
  it('names parts of paths of existing suites', () => {
    const suites = [...sources.keys()].filter((path) => path.endsWith('.test.ts'));
    const parts = outsidePrograms.flatMap((program) => program.suites);
    expect(parts).to.have.length.above(20);
    expect(parts.filter((part) => !suites.some((path) => path.includes(part)))).to.deep.equal([]);
  });
});
