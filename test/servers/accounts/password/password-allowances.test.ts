import { expect } from 'chai';
import type { Accounts } from '../../../../core/index.ts';
import { accountRoutes } from '../../../../servers/accounts/routes.ts';
import type { Route } from '../../../../servers/http/route.ts';
import { useService } from '../../../support/service.ts';

const LIMIT = 4;

describe('The allowance of routes that ask for the password again', () => {
  const service = useService({ TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_LOGIN: `${LIMIT}` });

  let addresses = 0;
  /** From an address of its own. */
  const call = (path: string, body: unknown, token: string) => {
    addresses += 1;
    const headers = { 'X-Forwarded-For': `203.0.113.${addresses}` };
    return service().post(`/api/auth/${path}`, body, { token, headers });
  };

  it('is the user’s, from whatever addresses, with right passwords too', async () => {
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
      const answer = await call(path, body, token);
      statuses.push(answer.status);
      // A change of the password gives the session another token.
      if (answer.status === 200) token = String(answer.body.token);
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

  it('is there for every such route, where it has none that is as narrow', () => {
    const routes = accountRoutes({
      passkeys: { site: () => null },
    } as Accounts) as unknown as readonly Route[];
    const hashing = routes.filter(({ body }) =>
      Object.keys(body?.properties ?? {}).some((name) => /password/i.test(name)),
    );
    expect(hashing).to.have.length.above(5);
    for (const { path, bucket } of hashing)
      expect(['register', 'verify', 'login', 'password'], path).to.include(bucket);
  });
});
