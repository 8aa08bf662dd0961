import { expect } from 'chai';
import { makeOperationIds } from '../../servers/http/openapi/operation.ts';

describe('Operation ids', () => {
  it('are as short as possible, and unique', () => {
    const idOf = makeOperationIds();
    const names = ['/health', '/api/health', '/api/v1/meta/{fileId}', '/.well-known/jwks.json'].map((path) =>
      idOf({ method: 'GET', path }),
    );
    expect(names).to.deep.equal(['getHealth', 'getApiHealth', 'getMetaFileId', 'getWellKnownJwksJson']);
    expect(() => idOf({ method: 'GET', path: '/health' })).to.throw('No name is left for GET /health.');
  });
});
