import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { root } from '../support/tree/root.ts';

const LISTS = ['core/error-codes.ts', 'servers/http/http-error.ts'];
const sources = ['core', 'adapters', 'servers', 'cli'].flatMap((layer) =>
  readdirSync(join(root, layer), { recursive: true, encoding: 'utf8' })
    .map((file) => `${layer}/${file}`)
    .filter((path) => /\.ts$/.test(path) && !/^servers\/(?:web|client)\//.test(path)),
);
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('The lists of error codes', () => {
  it('contain only codes that the product uses', () => {
    const codes = LISTS.flatMap((path) => [...read(path).matchAll(/^ {2}\| '(\w+)'/gm)]).map(
      ([, code]) => `'${code}'`,
    );
    expect(codes.length).to.be.greaterThan(100);
    const text = sources
      .map((path) => read(path).replaceAll(/^ {2}\| '\w+'|errors: \[[^\]]*\]/gm, ''))
      .join('\n');
    expect(codes.filter((code) => !text.includes(code))).to.deep.equal([]);
  });
});
