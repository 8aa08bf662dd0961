import { expect } from 'chai';
import { useRecords } from '../../../support/records.ts';
import { type RequestOptions, type User, useService } from '../../../support/service.ts';
import { signUpEnterprise } from '../entitlements/enterprise.ts';
import { allSignInMethods } from '../every-route.ts';
import { logInAgain, statusOfMe } from '../second-factor/factor.ts';
import { bearerRoutes } from './bearer-routes.ts';

/** Routes without a body get it as well: before the caller is known, the body must not matter. */
const BAD_BODY = { displayName: 7, enable: 'x', currentPassword: [], password: {} };

describe('Every route that requires a bearer token', () => {
  const { settings, own } = allSignInMethods();
  const service = useService(settings, own);
  const records = useRecords(service);
  let routes: ReturnType<typeof bearerRoutes>;
  let user: User;
  before(async () => {
    routes = bearerRoutes(service());
    user = await signUpEnterprise(service());
  });

  const bearer = (token: string): RequestOptions => ({ headers: { Authorization: `Bearer ${token}` } });
  /** Calls each route, with each of the bodies unless the method is GET. */
  const expectRefused = async (
    request: RequestOptions,
    challenge: string,
    bodies: readonly unknown[] = [BAD_BODY],
  ) => {
    for (const { name, method, path } of routes) {
      for (const body of method === 'GET' ? [undefined] : bodies) {
        const reply = await service().request(method, path, { ...request, body });
        expect(reply.status, name).to.equal(401);
        expect(reply.body, name).to.have.all.keys('message', 'code');
        expect(reply.body.code, name).to.equal('invalid_token');
        expect(reply.headers.get('www-authenticate'), name).to.equal(challenge);
      }
    }
  };
  const INVALID = 'Bearer error="invalid_token"';

  it('is in the table, which contains these documented routes', () => {
    expect(routes.map(({ name }) => name)).to.include.members([
      'GET /api/auth/me',
      'POST /api/auth/logout',
      'POST /api/auth/delete-account',
      'POST /api/auth/2fa',
      'POST /api/auth/passkeys/begin',
      'POST /api/auth/providers/link/confirm',
    ]);
  });

  it('refuses a call without a token', async () => {
    await expectRefused({}, 'Bearer', [undefined, BAD_BODY, '{']);
  });

  it('refuses a token outside the Authorization header', async () => {
    await expectRefused(
      { headers: { 'X-Access-Token': user.token, Cookie: `token=${user.token}` } },
      'Bearer',
    );
    for (const { method, path, name } of routes) {
      const { status } = await service().request(method, `${path}?access_token=${user.token}`);
      expect(status, name).to.equal(401);
    }
  });

  it('refuses a token that is malformed, expired, of an ended session or of a deleted user', async () => {
    const [late, ended, deleted] = [
      await service().signUp(),
      await service().signUp(),
      await service().signUp(),
    ];
    const { password } = deleted;
    await service().request('POST', '/api/auth/logout', ended);
    await service().post('/api/auth/delete-account', { password }, deleted);
    for (const token of ['garbage', ended.token, deleted.token]) await expectRefused(bearer(token), INVALID);
    service().clock.advance(900_000);
    await expectRefused(bearer(late.token), INVALID);
  });

  it('refuses restricted users with 403 before it checks the body, unless it is open to them', async () => {
    for (const kind of ['banned', 'disabled'] as const) {
      const restricted = await service().signUp();
      await records().change(restricted.email, {
        [kind]: { reason: 'spam', at: service().clock.now(), until: null },
      });
      for (const { name, method, path } of routes.filter(({ restrictedToo }) => !restrictedToo)) {
        const body = method === 'GET' ? undefined : BAD_BODY;
        const refused = await service().request(method, path, { token: restricted.token, body });
        expect([refused.status, refused.body.code], name).to.deep.equal([403, `account_${kind}`]);
      }
    }
  });

  it('refuses a missing or invalid body with 400 or 415 once the caller is known', async () => {
    const { token } = await logInAgain(service(), user);
    const routesWithBody = routes.filter(({ needsBody }) => needsBody);

    expect(routesWithBody).not.to.be.empty;
    for (const { name, method, path } of routesWithBody) {
      expect((await service().request(method, path, { token })).status, name).to.be.oneOf([400, 415]);
      expect((await service().request(method, path, { token, body: '{' })).status, name).to.equal(400);
      expect((await service().request(method, path, { token, body: {} })).status, name).to.equal(400);
    }
    expect(await statusOfMe(service(), token)).to.equal(200);
  });
});
