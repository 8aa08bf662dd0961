import { Readable } from 'node:stream';
import { expect } from 'chai';
import { ask, post, type Started, startApp, testRoute } from './start-app.ts';

const ORIGIN = 'https://app.example.org';

describe('The HTTP app', () => {
  let app: Started;
  before(async () => {
    app = await startApp(
      [
        testRoute({
          path: '/users/{userId}',
          params: { type: 'object', properties: { userId: { type: 'string' } } },
        }),
        testRoute({ method: 'PATCH', path: '/users/{userId}' }),
        testRoute({ path: '/users/stats', run: async () => ({ status: 200, body: 'stats' }) }),
        testRoute({
          method: 'POST',
          path: '/made',
          run: async () => ({ status: 201, body: { made: true } }),
        }),
        testRoute({
          path: '/away',
          run: async () => ({ status: 303, headers: { Location: 'https://pay.example.org/' } }),
        }),
        testRoute({
          path: '/keys',
          run: async () => ({ status: 200, body: {}, headers: { 'Cache-Control': 'public' } }),
        }),
        testRoute({
          path: '/page',
          run: async () => ({
            status: 200,
            body: Buffer.from('<p>'),
            headers: { 'Content-Type': 'text/html' },
          }),
        }),
        testRoute({ path: '/stream', run: async () => ({ status: 200, body: Readable.from(['a', 'b']) }) }),
      ],
      { corsOrigins: [ORIGIN], https: true },
    );
  });
  after(() => app.close());
  const get = (path: string, headers = {}) => ask(app.url + path, { headers });
  const method = (name: string, path: string, headers = {}) => ask(app.url + path, { method: name, headers });

  it('serves each route under its path and method', async () => {
    expect((await get('/users/7')).body.params).to.deep.equal({ userId: '7' });
    expect((await get('/users/a%2Fb%C5%BC')).body.params).to.deep.equal({ userId: 'a/bż' });
    expect((await post(`${app.url}/made`, '')).status).to.equal(201);
  });

  it('prefers the path with fewer parameters, regardless of the order of routes', async () => {
    expect((await get('/users/stats')).body).to.equal('stats');
  });

  it('refuses a wrong method of a literal path, even if a path with a parameter has the method', async () => {
    const { status, headers } = await method('PATCH', '/users/stats');
    expect([status, headers.allow]).to.deep.equal([405, 'HEAD, GET, OPTIONS']);
    expect((await method('OPTIONS', '/users/stats')).headers.allow).to.equal('HEAD, GET, OPTIONS');
    expect((await method('HEAD', '/users/stats')).status).to.equal(200);
    expect((await method('OPTIONS', '/users/7')).headers.allow).to.equal('HEAD, GET, PATCH, OPTIONS');
  });

  it('rejects a duplicate route', async () => {
    for (const path of ['/twice', '/twice/{id}']) {
      const outcome = await startApp([testRoute({ path }), testRoute({ path })]).catch((error) => error);
      expect(outcome).to.be.instanceOf(Error);
    }
  });

  it('matches paths literally', async () => {
    for (const path of [
      '/users/7/',
      '/Users/7',
      '//users/7',
      '/users',
      '/users/',
      '/made/x',
      '/',
      '/%75sers/7',
    ])
      expect((await get(path)).body, path).to.deep.equal({
        message: 'There is nothing here.',
        code: 'not_found',
      });
  });

  it('refuses a wrong method with 405 and lists the methods of the path', async () => {
    for (const name of ['DELETE', 'PUT', 'PROPFIND', 'TRACE']) {
      const reply = await method(name, '/users/7');
      expect([reply.status, reply.body.code], name).to.deep.equal([405, 'method_not_allowed']);
      expect(reply.headers.allow?.split(', ').sort()).to.deep.equal(['GET', 'HEAD', 'OPTIONS', 'PATCH']);
    }
    expect((await get('/made')).headers.allow).to.equal('POST, OPTIONS');
  });

  it('answers OPTIONS with the methods of the path', async () => {
    const reply = await method('OPTIONS', '/made');
    expect([reply.status, reply.headers.allow, reply.text]).to.deep.equal([204, 'POST, OPTIONS', '']);
    expect((await method('OPTIONS', '/nowhere')).status).to.equal(404);
  });

  it('answers HEAD like GET, without the body', async () => {
    const [head, full] = [await method('HEAD', '/users/stats'), await get('/users/stats')];
    expect([head.status, head.text]).to.deep.equal([200, '']);
    expect(head.headers['content-length']).to.equal(full.headers['content-length']);
    expect((await method('HEAD', '/nowhere')).status).to.equal(404);
  });

  it('sends the redirects, bytes and streams of a route unchanged', async () => {
    const away = await get('/away');
    expect([away.status, away.headers.location, away.text]).to.deep.equal([
      303,
      'https://pay.example.org/',
      '',
    ]);
    const page = await get('/page');
    expect([page.headers['content-type'], page.text]).to.deep.equal(['text/html', '<p>']);
    expect((await get('/stream')).text).to.equal('ab');
  });

  it('sets the security headers of every response, and lets a route set Cache-Control', async () => {
    for (const path of ['/users/7', '/nowhere'])
      expect((await get(path)).headers).to.include({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'strict-transport-security': 'max-age=31536000',
      });
    expect((await get('/keys')).headers['cache-control']).to.equal('public');
    const plain = await startApp([]);
    expect((await ask(plain.url)).headers).to.not.have.any.keys('strict-transport-security', 'vary');
    await plain.close();
  });

  it('echoes a valid request id, and replaces any other', async () => {
    const idFor = async (requestId: string) =>
      (await get('/users/7', { 'X-Request-Id': requestId })).headers['x-request-id'];
    for (const id of ['a', 'Az09._-', 'x'.repeat(64)]) expect(await idFor(id)).to.equal(id);
    for (const id of ['', 'a b', 'a"b', 'ż'.normalize('NFD').slice(0, 1).concat('/'), 'x'.repeat(65)])
      expect(await idFor(id)).to.match(/^[0-9a-f-]{36}$/);
    expect((await get('/users/7', { 'X-Request-Id': 'r7' })).body.caller?.requestId).to.equal('r7');
  });

  it('allows cross-origin requests of the listed origins only', async () => {
    const listed = await get('/users/7', { Origin: ORIGIN });
    expect(listed.headers).to.include({ 'access-control-allow-origin': ORIGIN, vary: 'Origin' });
    expect(listed.headers['access-control-expose-headers'])
      .to.contain('RateLimit-Remaining')
      .and.contain('Retry-After')
      .and.contain('ETag');
    expect((await get('/nowhere', { Origin: ORIGIN })).headers).to.include.keys(
      'access-control-allow-origin',
    );
    for (const origin of [
      `${ORIGIN}.evil.org`,
      'http://app.example.org',
      'null',
      `${ORIGIN}/`,
      ORIGIN.toUpperCase(),
    ]) {
      const reply = await get('/users/7', { Origin: origin });
      expect(reply.headers, origin).to.not.have.property('access-control-allow-origin');
      expect(reply.headers.vary).to.equal('Origin');
    }
  });

  it('answers the preflight request of a listed origin', async () => {
    const headers = { Origin: ORIGIN, 'Access-Control-Request-Method': 'PATCH' };
    const reply = await method('OPTIONS', '/users/7', headers);
    expect(reply.status).to.equal(204);
    expect(reply.headers['access-control-allow-methods']).to.contain('PATCH');
    expect(reply.headers['access-control-allow-headers'])
      .to.contain('Authorization')
      .and.not.contain('secret');
    const other = await method('OPTIONS', '/users/7', { ...headers, Origin: 'https://evil.org' });
    expect(other.headers).to.not.have.any.keys('access-control-allow-origin', 'access-control-allow-methods');
  });

  it('logs the route of each request, but no data that the client sent', async () => {
    app.accessLines.splice(0);
    await get('/users/hunter2?code=hunter2', { 'X-Request-Id': 'r9', Cookie: 'hunter2' });
    await get('/hunter2');
    const [matched, unmatched] = app.accessLines;
    expect(matched?.milliseconds).to.be.within(0, 5_000);
    expect({ ...matched, milliseconds: 0 }).to.deep.equal({
      method: 'GET',
      route: '/users/{userId}',
      status: 200,
      milliseconds: 0,
      requestId: 'r9',
      address: '127.0.0.1',
    });
    expect(unmatched).to.include({ route: '-', status: 404, code: 'not_found' });
    expect(JSON.stringify(app.accessLines)).to.not.contain('hunter2');
  });
});
