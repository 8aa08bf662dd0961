import { expect } from 'chai';
import { openTestService, type TestService, type User } from '../../../support/service.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';
import { until } from '../../../support/until.ts';
import { logInAgain, me, turnOnFactor } from '../second-factor/factor.ts';

describe('What ends a session in one instance of the service', () => {
  const folder = useTempFolder();
  let here: TestService;
  let elsewhere: TestService;
  let user: User;
  beforeEach(async () => {
    here = await openTestService({}, folder());
    user = await here.signUp();
    elsewhere = await openTestService({}, folder());
  });
  afterEach(() => Promise.all([here.close(), elsewhere.close()]));

  const endsElsewhere = ({ token }: User) => until(async () => (await me(elsewhere, token)) === 401);

  const ways: Readonly<Record<string, (known: User) => Promise<unknown>>> = {
    logout: ({ token }) => here.request('POST', '/api/auth/logout', { token }),
    'the end of all others': async () => {
      await here.request('DELETE', '/api/auth/sessions', { token: user.token });
    },
    'a password change': async () => {
      const body = { currentPassword: user.password, newPassword: 'another horse battery' };
      expect((await here.post('/api/auth/password', body, { token: user.token })).status).to.equal(200);
    },
    'a second factor': () => turnOnFactor(here, user),
    'the end of the account': ({ token, password }) =>
      here.post('/api/auth/delete-account', { password }, { token }),
  };
  for (const [name, way] of Object.entries(ways)) {
    it(`ends it in every other within a second: ${name}`, async () => {
      const known = await logInAgain(here, user);
      expect(await me(elsewhere, known.token)).to.equal(200);
      await way(known);
      await endsElsewhere(known);
      const { status } = await elsewhere.post('/api/auth/refresh', { refreshToken: known.refreshToken });
      expect(status).to.equal(401);
    });
  }
});
