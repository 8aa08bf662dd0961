import { expect } from 'chai';
import { makeOperationIds } from '../../servers/http/openapi/operation.ts';

describe('The names of operations', () => {
  it('are short where they can be, and never the same', () => {
    const idOf = makeOperationIds();
    const names = ['/health', '/api/health', '/api/v1/meta/{fileId}', '/.well-known/jwks.json'].map((path) =>
      idOf({ method: 'GET', path }),
    );
    expect(names).to.deep.equal(['getHealth', 'getApiHealth', 'getMetaFileId', 'getWellKnownJwksJson']);
    expect(() => idOf({ method: 'GET', path: '/health' })).to.throw('No name is left for GET /health.');
  });
});
