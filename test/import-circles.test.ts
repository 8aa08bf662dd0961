import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { importsOf } from './support/tree/imports.ts';
import { type Arrow, importCycles } from './support/tree/rooms.ts';
import { root } from './support/tree/root.ts';

const paths = ['core', 'adapters', 'servers', 'cli', 'test'].flatMap((layer) =>
  readdirSync(join(root, layer), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll('\\', '/')),
);

const known = new Set(paths);
const arrows = paths
  .filter((path) => /\.tsx?$/.test(path) && !path.startsWith('test/'))
  .flatMap((path) =>
    importsOf({ path, text: readFileSync(join(root, path), 'utf8') })
      .filter((target) => target !== undefined && known.has(target))
      .map((target): Arrow => [path, String(target)]),
  );

describe('Files and topics', () => {
  it('have no import cycle at any level', () => {
    expect(arrows).to.have.length.above(1_500);
    expect(importCycles(arrows)).to.deep.equal([]);
  });

  it('are reported if they import each other, directly or through a third', () => {
    const down: Arrow[] = [
      ['core/a/one.ts', 'core/b/two.ts'],
      ['core/b/two.ts', 'core/three.ts'],
    ];
    expect(importCycles(down)).to.deep.equal([]);
    expect(importCycles([...down, ['core/three.ts', 'core/a/five.ts']])).to.deep.equal([]);
    expect(importCycles([...down, ['core/b/four.ts', 'core/a/five.ts']])).to.have.length(2);
    expect(importCycles([...down, ['core/three.ts', 'core/a/one.ts']])).to.have.length(3);
  });
});
