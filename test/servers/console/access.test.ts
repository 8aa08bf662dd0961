import { expect } from 'chai';
import { consoleRoutes } from '../../../servers/console/routes.ts';
import { type TestService, useService } from '../../support/service.ts';
import { makeOperator, openConsole, openOperatorBrowser, outcome } from './console-client.ts';

/** Stands for any id in a path. */
const SOME_ID = '0199a0a0-0000-7000-8000-000000000000';

const routesOf = ({ composition }: TestService) =>
  consoleRoutes(composition)
    .filter(({ access }) => access === 'console')
    .map(({ method, path, body }) => ({
      name: `${method} ${path}`,
      method,
      path: path.replaceAll(/\{\w+\}/g, SOME_ID),
      hasBody: body !== undefined,
    }));

/** A route of the account service that the console offers to operators only. */
const AVATAR = { name: 'GET /api/avatar', method: 'GET', path: '/api/avatar', hasBody: false };

describe('The routes of the console', () => {
  const service = useService({ COOKIE_SESSIONS: 'on', ADMIN_ROUTES: 'both' });
  // The last founder cannot be dismissed.
  before(() => makeOperator(service()));

  it('refuse an operator’s access token and the internal secret at both listeners', async () => {
    const { user, app } = await makeOperator(service());
    const { email, password } = user;
    const login = { email, password, verificationCode: app.fresh() };
    const token = String((await service().post('/api/auth/login', login)).body.token);
    const [secret = ''] = service().composition.internalSecrets;
    const consoleOnly = routesOf(service());
    for (const [at, routes] of [
      [service().consoleUrl, [...consoleOnly, AVATAR]],
      [service().url, consoleOnly],
    ] as const)
      for (const { name, method, path, hasBody } of routes) {
        const page = openConsole(service(), at);
        const body = hasBody && { body: { reason: 'a good one' } };
        for (const headers of [{ Authorization: `Bearer ${token}` }, { 'x-internal-secret': secret }, {}])
          expect(outcome(await page.send(method, path, { ...body, headers })), name).to.deep.equal([
            401,
            'invalid_token',
          ]);
      }
  });

  it('refuse requests of other sites, and writing requests of unknown origin', async () => {
    const { page } = await openOperatorBrowser(service());
    const logout = { method: 'POST', path: '/api/auth/logout', name: 'logout', hasBody: false };
    for (const site of ['cross-site', 'same-site', 'none'])
      for (const { name, method, path } of [...routesOf(service()), logout]) {
        const reply = await page.send(method, path, { headers: { 'Sec-Fetch-Site': site } });
        const error = method === 'GET' ? [401, 'invalid_token'] : [403, 'cross_site'];
        if (site !== 'none' || method !== 'GET')
          expect(outcome(reply), `${name} ${site}`).to.deep.equal(error);
      }
    const { email, password } = (await makeOperator(service(), 'dev')).user;
    const login = await page.post(
      '/api/admin/sign-in',
      { email, password },
      { 'Sec-Fetch-Site': 'cross-site' },
    );
    expect(outcome(login)).to.deep.equal([403, 'cross_site']);
    expect(await page.me()).to.equal(200);
  });

  it('refuse bodies that are not JSON with 415', async () => {
    const { page } = await openOperatorBrowser(service());
    const routes = routesOf(service()).filter(({ hasBody }) => hasBody);
    const signIn = { name: 'sign-in', method: 'POST', path: '/api/admin/sign-in' };
    for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
      for (const { name, method, path } of [signIn, ...routes]) {
        const headers = { 'Content-Type': type };
        expect((await page.send(method, path, { body: 'reason=x', headers })).status, name).to.equal(415);
      }
  });

  it('accept one session cookie and refuse two with 401', async () => {
    const [first, second] = [await openOperatorBrowser(service()), await openOperatorBrowser(service())];
    const get = async (Cookie: string) =>
      (await openConsole(service()).send('GET', '/api/auth/me', { headers: { Cookie } })).status;
    const [cookie, otherCookie] = [first, second].map(({ page }) => `gatehouse-console=${page.value()}`);
    expect(await get(`a=b; ${cookie}`)).to.equal(200);
    expect(await get(`${cookie}; ${otherCookie}`)).to.equal(401);
    expect(await get(`${cookie}; ${cookie}`)).to.equal(401);
  });

  it('allow no other origin in a preflight', async () => {
    const reply = await openConsole(service()).send('OPTIONS', '/api/admin/sign-in', {
      headers: { Origin: 'https://app.example.com', 'Access-Control-Request-Method': 'POST' },
    });
    expect(reply.headers.get('access-control-allow-origin')).to.equal(null);
  });

  it('accept the same session at both listeners', async () => {
    const operator = await makeOperator(service(), 'dev');
    const page = openConsole(service(), service().url);
    expect((await page.signIn(operator)).status).to.equal(200);
    const other = openConsole(service());
    other.keep(page.value());
    expect(await other.me()).to.equal(200);
  });
});

describe('The listener of the console', () => {
  const service = useService({ ADMIN_ROUTES: 'console', CORS_ORIGINS: 'https://app.example.com' });

  it('has health routes, and no other routes of the account service', async () => {
    const send = openConsole(service()).send;
    for (const [method, path] of [
      ['POST', '/api/auth/login'],
      ['POST', '/api/auth/register'],
      ['POST', '/api/auth/refresh'],
      ['POST', '/api/auth/session/token'],
      ['POST', '/api/auth/password'],
      ['POST', '/api/auth/introspect'],
      ['GET', '/api/billing/subscription'],
      ['GET', '/.well-known/jwks.json'],
    ] as const)
      expect((await send(method, path)).status, path).to.equal(404);
    expect((await send('GET', '/health')).body.service).to.equal('drop-console');
    expect((await send('GET', '/health/ready')).status).to.equal(200);
  });

  it('allows no other origin, even if CORS_ORIGINS lists it', async () => {
    const headers = { Origin: 'https://app.example.com' };
    const reply = await openConsole(service()).send('GET', '/health', { headers });
    expect(reply.headers.get('access-control-allow-origin')).to.equal(null);
  });

  it('has the console’s routes alone with ADMIN_ROUTES=console, but not `/api/admin/users`', async () => {
    const operator = await makeOperator(service(), 'dev');
    const { email, password } = operator.user;
    const refused = await service().post('/api/admin/sign-in', { email, password });
    expect(refused.status).to.equal(404);
    expect((await openConsole(service()).signIn(operator)).status).to.equal(200);
    expect((await service().request('GET', '/api/admin/users')).status).to.equal(401);
  });
});
