import { expect } from 'chai';
import type { Accounts } from '../../../../core/index.ts';
import { accountRoutes } from '../../../../servers/accounts/routes.ts';
import type { Route } from '../../../../servers/http/route.ts';
import { type TestService, type User, useService } from '../../../support/service.ts';

const LIMIT = 4;

describe('The allowance of routes that ask for the password again', () => {
  const service = useService({ TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_LOGIN: `${LIMIT}` });

  let made = 0;
  const newAddress = () => {
    made += 1;
    return `203.0.113.${made}`;
  };
  const call = (
    path: string,
    body: unknown,
    { token }: { token?: string },
    address: string,
  ): ReturnType<TestService['post']> =>
    service().post(`/api/auth/${path}`, body, {
      headers: {
        'X-Forwarded-For': address,
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      },
    });
  const change = ({ password }: User, differences: object = {}) =>
    ['password', { currentPassword: password, newPassword: password, ...differences }] as const;

  /** The user with the token that goes on working, where the answer has another one. */
  const renewed = (user: User, { body }: { readonly body: Partial<User> }): User => ({
    ...user,
    token: body.token ?? user.token,
  });

  const expectRefused = async (answer: ReturnType<TestService['post']>) => {
    const { status, body, headers } = await answer;
    expect([status, body.code]).to.deep.equal([429, 'rate_limited']);
    expect(Number(headers.get('retry-after'))).to.be.within(1, 60);
  };

  it('is the user’s, from whatever addresses, with right passwords too', async () => {
    let user = await service().signUp();
    const calls = [
      change(user),
      change(user, { currentPassword: 'a wrong password' }),
      change(user),
      ['delete-account', { password: 'a wrong password' }],
    ] as const;
    expect(calls).to.have.length(LIMIT);
    const statuses: number[] = [];
    for (const [path, body] of calls) {
      const answer = await call(path, body, user, newAddress());
      statuses.push(answer.status);
      user = renewed(user, answer);
    }
    expect(statuses).to.deep.equal([200, 401, 200, 401]);
    await expectRefused(call(...change(user), user, newAddress()));
    await expectRefused(call('delete-account', { password: user.password }, user, newAddress()));

    service().clock.advance(60_000);
    expect((await call(...change(user), user, newAddress())).status).to.equal(200);
  });

  it('is the client’s, whoever has logged in there', async () => {
    const address = newAddress();
    for (let count = 1; count <= LIMIT; count += 1) {
      const user = await service().signUp();
      const { status, headers } = await call(...change(user), user, address);
      expect(status).to.equal(200);
      expect(headers.get('ratelimit-limit')).to.equal(String(LIMIT));
      expect(headers.get('ratelimit-remaining')).to.equal(String(LIMIT - count));
    }
    const late = await service().signUp();
    await expectRefused(call(...change(late), late, address));
    expect((await call(...change(late), late, newAddress())).status).to.equal(200);
  });

  it('is another one than that of logins', async () => {
    const address = newAddress();
    let user = await service().signUp();
    for (let count = 1; count <= LIMIT; count += 1)
      user = renewed(user, await call(...change(user), user, address));
    const { email, password } = user;
    expect((await call('login', { email, password }, {}, address)).status).to.equal(200);
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
