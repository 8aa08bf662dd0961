import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { root } from '../support/tree/root.ts';

const read = (name: string) => readFileSync(join(root, `docs/openapi-${name}.json`), 'utf8');

describe('The schemas of the OpenAPI documents', () => {
  for (const name of ['accounts', 'metadata', 'console'])
    it(`say of each object without listed members that it may have any: ${name}`, () => {
      const free: unknown[] = [];
      JSON.parse(read(name), (_, value) => {
        if (value?.type === 'object' && value.properties === undefined) free.push(value.additionalProperties);
        return value;
      });
      expect([...new Set(free)]).to.deep.equal([true]);
    });
});
