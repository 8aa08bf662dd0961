import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect } from 'chai';
import { withoutComments } from './support/tree/imports.ts';
import { root } from './support/tree/root.ts';

const sources = ['core', 'adapters', 'servers', 'cli', 'test'].flatMap((layer) =>
  readdirSync(join(root, layer), { recursive: true, encoding: 'utf8' })
    .map((name) => `${layer}/${name.replaceAll('\\', '/')}`)
    .filter((path) => /\.(?:tsx?|mjs)$/.test(path))
    .map((path) => ({ path, text: withoutComments(readFileSync(join(root, path), 'utf8')) })),
);

const EXPORTED = /^export (?:async )?(?:const|let|function\*?) (\w+)/gm;
const IMPORTED = /\b(?:import|export)\s*(?:\w+,\s*)?\{([^}]*)\}\s*from\s*'(\.[^']+)'/g;
/** Takes everything that a file exports: `import('…')`, `import * as`, `export *`. */
const TAKEN_WHOLE = /(?:\bimport\s*\(\s*|\*(?: as \w+)?\s+from\s*)'(\.[^']+)'/g;
/** Modules of the pages whose texts the build writes to the manifest: it names them as they are compiled. */
const LOADED_BY_BUILD = /'(text\/[^']+)\.js'/g;

/** `path name` for each value that is exported but imported nowhere. Types and classes of errors are for those who embed. */
const unused = (files: typeof sources): readonly string[] => {
  const target = (path: string, from: string) => posix.join(posix.dirname(path), from);
  const whole = new Set<string>();
  const names = new Set<string>();
  for (const { path, text } of files) {
    for (const [, from = ''] of text.matchAll(TAKEN_WHOLE)) whole.add(target(path, from));
    if (path.startsWith('cli/build/'))
      for (const [, name = ''] of text.matchAll(LOADED_BY_BUILD)) whole.add(`servers/web/${name}.ts`);
    for (const [, list = '', from = ''] of text.matchAll(IMPORTED)) {
      for (const [name] of list.matchAll(/\w+(?=\s*(?:,|$| as ))/g))
        names.add(`${target(path, from)} ${name}`);
    }
  }
  return files
    .filter(({ path }) => !whole.has(path))
    .flatMap(({ path, text }) => [...text.matchAll(EXPORTED)].map(([, name]) => `${path} ${name}`))
    .filter((value) => !names.has(value));
};

describe('What a file exports', () => {
  it('is imported somewhere, if it is a value', () => {
    expect(sources.length).to.be.greaterThan(500);
    expect(unused(sources)).to.deep.equal([]);
  });

  it('is found to be imported nowhere, or by the build alone', () => {
    const one = { path: 'core/one.ts', text: 'export const a = 1;\nexport const b = 2;\nexport type C = 1;' };
    const taking = (text: string) => unused([one, { path: 'core/rooms/two.ts', text }]);
    expect(taking('')).to.deep.equal(['core/one.ts a', 'core/one.ts b']);
    expect(taking("import { a, type C } from '../one.ts';")).to.deep.equal(['core/one.ts b']);
    expect(taking("import { a as x } from '../one.ts';\nexport { b } from '../one.ts';")).to.deep.equal([]);
    expect(taking("const one = await import('../one.ts');")).to.deep.equal([]);
    const texts = { path: 'servers/web/text/en/one.ts', text: 'export const one = 1;' };
    const loaded = { path: 'cli/build/web.mjs', text: "load('text/en/one.js')" };
    expect(unused([texts])).to.deep.equal(['servers/web/text/en/one.ts one']);
    expect(unused([texts, loaded])).to.deep.equal([]);
  });
});
