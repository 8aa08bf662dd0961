import { expect } from 'chai';
import type { Accounts } from '../../../../core/index.ts';
import { accountRoutes } from '../../../../servers/accounts/routes.ts';
import type { Route } from '../../../../servers/http/route.ts';
import { useService } from '../../../support/service.ts';

const LIMIT = 4;

describe('The allowance of routes that require the password', () => {
  const service = useService({ TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_LOGIN: `${LIMIT}` });

  let addresses = 0;
  /** Calls from a new address. */
  const call = (path: string, body: unknown, token: string) => {
    addresses += 1;
    const headers = { 'X-Forwarded-For': `203.0.113.${addresses}` };
    return service().post(`/api/auth/${path}`, body, { token, headers });
  };

  it('counts the calls of a user from all addresses, also with the right password', async () => {
    const { password, ...user } = await service().signUp();
    let { token } = user;
    const change = { currentPassword: password, newPassword: password };
    const statuses: number[] = [];
    for (const [path, body] of [
      ['password', change],
      ['password', { ...change, currentPassword: 'a wrong password' }],
      ['password', change],
      ['delete-account', { password: 'a wrong password' }],
    ] as const) {
      const reply = await call(path, body, token);
      statuses.push(reply.status);
      // A change of the password gives the session another token.
      if (reply.status === 200) token = String(reply.body.token);
    }
    expect(statuses).to.deep.equal([200, 401, 200, 401]).and.have.length(LIMIT);
    for (const [path, body] of [
      ['password', change],
      ['delete-account', { password }],
    ] as const) {
      const refused = await call(path, body, token);
      expect([refused.status, refused.body.code]).to.deep.equal([429, 'rate_limited']);
      expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
    }

    service().clock.advance(60_000);
    expect((await call('password', change, token)).status).to.equal(200);
  });

  it('is one of register, verify, login and password for every such route', () => {
    const routes = accountRoutes({
      passkeys: { site: () => null },
    } as Accounts) as unknown as readonly Route[];
    const passwordRoutes = routes.filter(({ body }) =>
      Object.keys(body?.properties ?? {}).some((name) => /password/i.test(name)),
    );
    expect(passwordRoutes).to.have.length.above(5);
    for (const { path, bucket } of passwordRoutes)
      expect(['register', 'verify', 'login', 'password'], path).to.include(bucket);
  });
});
