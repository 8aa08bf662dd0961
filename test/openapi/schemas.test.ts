import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Document, resolve } from '../../cli/build/openapi-document.ts';
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

  it('have `invalid_request` among the codes of a route only if it takes input that can be invalid', () => {
    const document: Document = JSON.parse(read('accounts'));
    for (const [path, method, isListed] of [
      ['/api/auth/sessions', 'get', false],
      ['/api/auth/sessions/{id}', 'delete', false],
      ['/api/auth/providers/{id}/callback', 'get', false],
      ['/api/auth/passkeys/{id}', 'patch', true],
      ['/sandbox/billing/checkout/{token}', 'get', true],
      ['/api/connect/check', 'get', true],
    ] as const) {
      const response = document.paths[path]?.[method]?.responses[400] ?? { description: '' };
      const codes = JSON.stringify(resolve(document, response));
      expect(codes.includes('"invalid_request"'), path).to.equal(isListed);
    }
  });
});
