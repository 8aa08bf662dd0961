import { expect } from 'chai';
import { openTestService, type TestService, type User } from '../../../support/service.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';
import { until } from '../../../support/until.ts';
import { logInAgain, me, turnOnFactor } from '../second-factor/factor.ts';

describe('What ends a session in one instance of the service', () => {
  const folder = useTempFolder('suite');
  let here: TestService;
  let elsewhere: TestService;
  const users: User[] = [];
  before(async () => {
    here = await openTestService({}, folder());
    for (const _ of Object.keys(ways)) users.push(await here.signUp());
    // Only now, so that the mails to them are sent here.
    elsewhere = await openTestService({}, folder());
  });
  after(() => Promise.all([here.close(), elsewhere.close()]));

  const endsElsewhere = ({ token }: User) => until(async () => (await me(elsewhere, token)) === 401);

  const ways: Readonly<Record<string, (known: User, user: User) => Promise<unknown>>> = {
    logout: ({ token }) => here.request('POST', '/api/auth/logout', { token }),
    'the end of all others': (_, { token }) => here.request('DELETE', '/api/auth/sessions', { token }),
    'a password change': async (_, user) => {
      const body = { currentPassword: user.password, newPassword: 'another horse battery' };
      expect((await here.post('/api/auth/password', body, { token: user.token })).status).to.equal(200);
    },
    'a second factor': (_, user) => turnOnFactor(here, user),
    'the end of the account': ({ token, password }) =>
      here.post('/api/auth/delete-account', { password }, { token }),
  };
  for (const [name, way] of Object.entries(ways)) {
    it(`ends it in every other within a second: ${name}`, async () => {
      const user = users.pop() ?? expect.fail('Nobody is left.');
      const known = await logInAgain(here, user);
      expect(await me(elsewhere, known.token)).to.equal(200);
      await way(known, user);
      await endsElsewhere(known);
      const { status } = await elsewhere.post('/api/auth/refresh', { refreshToken: known.refreshToken });
      expect(status).to.equal(401);
    });
  }
});
