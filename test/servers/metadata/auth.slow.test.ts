import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { metadataRoutes } from '../../../servers/metadata/routes.ts';
import { rawRequest } from '../../support/servers/raw-request.ts';
import { ask, type TestService, useService } from '../../support/service.ts';
import { makeClient } from './client.ts';

const FIRST = 'bTq7-first-live-value-of-the-metadata-service';
const SECOND = 'Zx9k-second-live-value-of-the-metadata-service';
const INTERNAL = 'Lw4m-internal-value-of-the-account-service';

const HEALTH = ['/health', '/api/health', '/health/ready'];

const routesOf = ({ composition }: TestService) =>
  metadataRoutes(composition.files).map(({ method, path }) => ({
    method,
    path: path.replace(/\{\w+\}/, '0199a0a0-0000-7000-8000-000000000000'),
  }));

describe('The metadata service with META_AUTH=secret', () => {
  const service = useService({
    META_AUTH: 'secret',
    METADATA_SECRET: `${FIRST},${SECOND}`,
    INTERNAL_SECRET: INTERNAL,
  });

  it('has 11 routes', () => {
    expect(routesOf(service())).to.have.length(11);
  });

  it('refuses a request without a valid secret before it checks the input', async () => {
    const wrong = [
      {},
      { 'x-internal-secret': '' },
      { 'x-internal-secret': 'x' },
      { 'x-internal-secret': FIRST.slice(0, -1) },
      { 'x-internal-secret': `${FIRST}x` },
      { 'x-internal-secret': FIRST.toLowerCase() },
      { 'x-internal-secret': `${FIRST},${SECOND}` },
      { 'x-internal-secret': INTERNAL },
      { 'x-internal-secret': 'undefined' },
      { Authorization: `Bearer ${FIRST}` },
      { Cookie: `x-internal-secret=${FIRST}` },
    ];
    const { token } = await service().signUp();
    for (const headers of [...wrong, { Authorization: `Bearer ${token}` }]) {
      for (const { method, path } of routesOf(service())) {
        for (const body of method === 'POST' ? [undefined, '{', { user: 7 }] : [undefined]) {
          const reply = await ask(service().metadataUrl, method, path, {
            headers,
            ...(body !== undefined && { body }),
          });
          expect(reply.status, `${method} ${path}`).to.equal(401);
          expect(reply.body).to.have.all.keys('error', 'message');
          expect(reply.body.error).to.equal('invalid_secret');
          expect(reply.headers.get('www-authenticate')).to.equal('Internal-Secret');
          expect(JSON.stringify(reply.body)).not.to.include(FIRST);
        }
      }
    }
  });

  it('refuses a secret in the query or in a repeated header', async () => {
    const { status } = await ask(
      service().metadataUrl,
      'GET',
      `/api/v1/meta?userId=a&x-internal-secret=${FIRST}`,
    );
    expect(status).to.equal(401);
    const headers = new Headers([
      ['x-internal-secret', 'x'],
      ['x-internal-secret', FIRST],
    ]);
    const response = await fetch(`${service().metadataUrl}/api/v1/meta?userId=a`, { headers });
    expect(response.status).to.equal(401);
  });

  it('accepts each of its current secrets, with any Host', async () => {
    for (const secret of [FIRST, SECOND]) {
      const client = makeClient(service().metadataUrl, { 'x-internal-secret': secret });
      const { status, body } = await client.create();
      expect(status).to.equal(200);
      expect((await client.read(String(body.id))).status).to.equal(200);
    }
    const headers = { 'X-Internal-Secret': FIRST, Host: 'metadata.example.com' };
    const answer = await rawRequest(service().metadataUrl, 'GET', '/api/v1/meta?userId=a', { headers });
    expect(answer.status).to.equal(200);
  });

  it('reports invalid input to a caller with the secret', async () => {
    const client = makeClient(service().metadataUrl, { 'x-internal-secret': FIRST });
    for (const { method, path } of routesOf(service())) {
      if (method !== 'POST') continue;
      const { status, body } = await client.post(path, '{');
      expect([status, body.error], path).to.deep.equal([400, 'invalid_request']);
    }
  });

  it('has secrets that the account service refuses', async () => {
    const introspect = (secret: string) =>
      service().request('POST', '/api/auth/introspect', {
        body: { token: 'x' },
        headers: { 'x-internal-secret': secret },
      });
    const list = (secret: string) =>
      service().request('GET', '/api/admin/users', { headers: { 'x-internal-secret': secret } });
    expect((await introspect(INTERNAL)).status).to.equal(200);
    expect((await list(INTERNAL)).status).to.equal(200);
    for (const secret of [FIRST, SECOND]) {
      expect((await introspect(secret)).status).to.equal(401);
      expect((await list(secret)).status).to.equal(401);
    }
  });

  it('serves its health routes without a secret, and answers other paths with 404', async () => {
    for (const path of HEALTH) {
      const { status, body } = await ask(service().metadataUrl, 'GET', path);
      expect(status, path).to.equal(200);
      expect(body).to.include({ service: 'drop-metadata' });
    }
    for (const path of ['/', '/api/auth/me', '/api/v1', '/api/v1/meta/a/b', '/api/v1/dek', '/API/V1/META']) {
      const { status, body } = await ask(service().metadataUrl, 'GET', path);
      expect([status, body.error], path).to.deep.equal([404, 'not_found']);
    }
  });
});

describe('The metadata service without METADATA_SECRET', () => {
  const service = useService({ META_AUTH: 'secret' });

  it('accepts the internal secret', async () => {
    const secret = readFileSync(join(service().folder, 'internal-secret'), 'utf8').trim();
    const client = makeClient(service().metadataUrl, { 'x-internal-secret': secret });
    expect((await client.create()).status).to.equal(200);
    expect((await makeClient(service().metadataUrl).create()).status).to.equal(401);
  });
});

describe('The limits of the metadata service', () => {
  const service = useService({ RATE_LIMIT_HEALTH: '5', RATE_LIMIT_DEFAULT: '5' });

  it('apply to its health routes only, and are counted apart from those of the account service', async () => {
    for (let call = 0; call < 5; call += 1) await service().request('GET', '/health');
    expect((await service().request('GET', '/health')).status).to.equal(429);
    const statuses: number[] = [];
    for (let call = 0; call < 8; call += 1) {
      const { status } = await ask(service().metadataUrl, 'GET', HEALTH[call % 2] ?? '');
      statuses.push(status);
    }
    expect(statuses).to.deep.equal([...Array(5).fill(200), ...Array(3).fill(429)]);
    const { body, headers } = await ask(service().metadataUrl, 'GET', '/health');
    expect(body).to.include({ error: 'rate_limited' });
    expect(Number(headers.get('retry-after'))).to.be.within(1, 60);

    for (let call = 0; call < 20; call += 1) {
      expect((await ask(service().metadataUrl, 'GET', '/health/ready')).status).to.equal(200);
      const { status, headers: listHeaders } = await makeClient(service().metadataUrl).list('a');
      expect(status).to.equal(200);
      expect(listHeaders.get('ratelimit-limit')).to.equal(null);
    }
  });
});
