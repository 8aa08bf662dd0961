import { expect } from 'chai';
import type { Reply } from '../../../support/service.ts';
import { type User, useService } from '../../../support/service.ts';
import { bearerRoutes } from '../sessions/bearer-routes.ts';
import { COOKIE, cookieValueIn, openPage } from './jar.ts';

const SITE = 'https://app.example.com';

/** Headers of a browser, with the status of a request that reads and of one that writes. */
const CASES: readonly (readonly [Record<string, string>, get: number, post: number])[] = [
  [{ 'Sec-Fetch-Site': 'same-origin' }, 200, 200],
  [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'https://evil.example' }, 200, 200],
  [{ 'Sec-Fetch-Site': 'none' }, 200, 403],
  [{ 'Sec-Fetch-Site': 'same-site' }, 401, 403],
  [{ 'Sec-Fetch-Site': 'cross-site' }, 401, 403],
  [{ 'Sec-Fetch-Site': 'same-site', Origin: SITE }, 401, 403],
  [{ 'Sec-Fetch-Site': 'same-origin, same-origin' }, 401, 403],
  [{ 'Sec-Fetch-Site': 'Same-Origin' }, 401, 403],
  [{ 'Sec-Fetch-Site': '' }, 401, 403],
  [{ Origin: SITE }, 200, 200],
  [{ Origin: `${SITE}.evil.example` }, 401, 403],
  [{ Origin: 'http://app.example.com' }, 401, 403],
  [{ Origin: `${SITE}/` }, 401, 403],
  [{ Origin: 'null' }, 401, 403],
  [{}, 200, 403],
];

describe('A request with the cookie of a session', () => {
  const service = useService({ COOKIE_SESSIONS: 'on', COOKIE_ORIGINS: SITE });
  let user: User;
  let value: string;
  before(async () => {
    user = await service().signUp();
    const page = openPage(service());
    await page.logIn(user);
    value = page.value();
  });

  const send = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
    service().request(method, path, {
      headers: { Cookie: `${COOKIE}=${value}`, ...headers },
      ...(body !== undefined && { body }),
    });
  const outcome = ({ status, body }: Reply) => [status, body?.code];

  for (const [headers, get, post] of CASES) {
    it(`D1: gets ${get} if it reads and ${post} if it writes, with ${JSON.stringify(headers)}`, async () => {
      expect((await send('GET', '/api/auth/me', headers)).status).to.equal(get);
      const head = { method: 'HEAD', headers: { Cookie: `${COOKIE}=${value}`, ...headers } };
      expect((await fetch(`${service().url}/api/auth/me`, head)).status).to.equal(get);
      for (const [method, path, body] of [
        ['POST', '/api/auth/session/token'],
        ['PATCH', '/api/auth/me', { displayName: 'Ada' }],
      ] as const) {
        const reply = await send(method, path, headers, body);
        expect(reply.status, method).to.equal(post);
        if (post === 403) expect(outcome(reply)).to.deep.equal([403, 'cross_site']);
      }
    });

    it(`D6: gets ${post} if it begins a session, with ${JSON.stringify(headers)}`, async () => {
      const { email, password } = user;
      const loginHeaders = { ...headers, 'X-Session': 'cookie' };
      const reply = await service().post('/api/auth/login', { email, password }, { headers: loginHeaders });
      expect(reply.status).to.equal(post);
      expect(cookieValueIn(reply) !== undefined).to.equal(post === 200);
    });
  }

  it('D1: is refused from another site on every route, before any other check', async () => {
    const evil = { 'Sec-Fetch-Site': 'cross-site', 'Content-Type': 'text/plain' };
    const routes = bearerRoutes(service());
    expect(routes.length).to.be.above(25);
    for (const { name, method, path } of routes) {
      const reply = await send(method, path, evil, method === 'GET' ? undefined : 'x=y');
      expect(outcome(reply), name).to.deep.equal(
        method === 'GET' ? [401, 'invalid_token'] : [403, 'cross_site'],
      );
      expect(cookieValueIn(reply), name).to.equal(undefined);
    }
    for (const path of ['login', 'register', 'refresh', 'password-reset', 'email/undo', 'introspect'])
      expect(outcome(await send('POST', `/api/auth/${path}`, evil, '{}')), path).to.deep.equal([
        403,
        'cross_site',
      ]);
    expect((await send('GET', '/api/billing/checkout?tier=pro&billingCycle=monthly', evil)).status).to.equal(
      401,
    );
    expect(service().log.lines.some(({ event }) => event === 'csrf.refused')).to.equal(true);
  });

  it('is accepted on every route from a page of the site', async () => {
    for (const { name, method, path, needsBody } of bearerRoutes(service())) {
      if (/logout|delete-account|DELETE/.test(name)) continue;
      const own = { 'Sec-Fetch-Site': 'same-origin' };
      const reply = await send(method, path, own, needsBody ? {} : undefined);
      expect(reply.body?.code, name).not.to.be.oneOf(['invalid_token', 'cross_site']);
    }
  });

  it('is accepted or refused whatever its Host is', async () => {
    const own = { 'Sec-Fetch-Site': 'same-origin' };
    expect((await send('GET', '/api/auth/me', { ...own, Host: 'evil.example' })).status).to.equal(200);
    const evil = { Origin: 'https://evil.example', Host: 'evil.example' };
    expect((await send('POST', '/api/auth/session/token', evil)).status).to.equal(403);
  });

  it('D1: requires application/json for a JSON body', async () => {
    const own = { 'Sec-Fetch-Site': 'same-origin' };
    const body = '{"displayName":"Eve"}';
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      expect((await send('PATCH', '/api/auth/me', { ...own, 'Content-Type': type }, body)).status).to.equal(
        415,
      );
  });

  it('D2: is refused with two cookies of the name, and cookies of similar names are ignored', async () => {
    const other = openPage(service());
    await other.logIn(user);
    const get = async (Cookie: string) =>
      (await service().request('GET', '/api/auth/me', { headers: { Cookie } })).status;
    expect(await get(`a=b; ${COOKIE}=${value}; c=d`)).to.equal(200);
    expect(await get(`${COOKIE}=${value};${COOKIE}=${other.value()}`)).to.equal(401);
    expect(await get(`${COOKIE}=${value}; ${COOKIE}=${value}`)).to.equal(401);
    expect(await get(`${COOKIE}=; ${COOKIE}=${value}`)).to.equal(401);
    const alike = ['\u00a0', '\u0085'].flatMap((byte) => [`${byte}${COOKIE}`, `${COOKIE}${byte}`]);
    for (const name of [
      'Gatehouse',
      'gatehouse2',
      'xgatehouse',
      '__Host-gatehouse',
      `"${COOKIE}"`,
      ...alike,
    ]) {
      expect(await get(`${name}=${value}`), name).to.equal(401);
      expect(await get(`${name}=${other.value()}; ${COOKIE}=${value}`), name).to.equal(200);
    }
    expect(await get(`${COOKIE}="${value}"`)).to.equal(401);
  });

  it('D6: is not allowed to have X-Session or credentials from another origin', async () => {
    const preflight = await service().request('OPTIONS', '/api/auth/login', {
      headers: {
        Origin: SITE,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'x-session',
      },
    });
    expect(preflight.headers.get('access-control-allow-headers')).to.equal(null);
    expect(preflight.headers.get('access-control-allow-credentials')).to.equal(null);
  });
});

describe('A page of an origin in CORS_ORIGINS', () => {
  const service = useService({ COOKIE_SESSIONS: 'on', CORS_ORIGINS: SITE });

  it('D6: can send neither X-Session nor a cookie', async () => {
    const preflight = await service().request('OPTIONS', '/api/auth/login', {
      headers: { Origin: SITE, 'Access-Control-Request-Method': 'POST' },
    });
    expect(preflight.headers.get('access-control-allow-headers')).to.equal(
      'Authorization, Content-Type, If-None-Match, X-Request-Id',
    );
    const user = await service().signUp();
    const reply = await service().post('/api/auth/login', user, {
      headers: { Origin: SITE, 'X-Session': 'cookie', 'Sec-Fetch-Site': 'cross-site' },
    });
    expect(reply.status).to.equal(403);
    expect(reply.headers.get('access-control-allow-credentials')).to.equal(null);
  });
});

describe('The cookie of a session over https', () => {
  const service = useService({ COOKIE_SESSIONS: 'on', PUBLIC_URL: SITE });

  it('D2: has the __Host- prefix, and is read under no other name', async () => {
    const user = await service().signUp();
    const page = openPage(service(), '__Host-gatehouse');
    const login = await page.logIn(user);
    expect(login.headers.getSetCookie()[0]).to.match(
      /^__Host-gatehouse=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Lax; Max-Age=15552000$/,
    );
    expect(await page.me()).to.equal(200);
    const tossed = openPage(service());
    tossed.keep(page.value());
    expect(await tossed.me()).to.equal(401);
    // Without COOKIE_ORIGINS the origin of PUBLIC_URL is accepted.
    const old = { 'Sec-Fetch-Site': undefined as unknown as string, Origin: SITE };
    const headers = { Cookie: `__Host-gatehouse=${page.value()}`, Origin: old.Origin };
    expect((await service().request('POST', '/api/auth/logout', { headers })).status).to.equal(200);
  });
});
