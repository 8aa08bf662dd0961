import { expect } from 'chai';
import { openTestService, type TestService, type User } from '../../../support/service.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';
import { until } from '../../../support/until.ts';
import { logInAgain, statusOfMe, turnOnFactor } from '../second-factor/factor.ts';

describe('A session that one instance of the service ends', () => {
  const folder = useTempFolder('suite');
  let here: TestService;
  let elsewhere: TestService;
  const users: User[] = [];
  before(async () => {
    here = await openTestService({}, folder());
    for (const _ of Object.keys(endings)) users.push(await here.signUp());
    // Opened last, so that the first service sends the mails of the sign-ups.
    elsewhere = await openTestService({}, folder());
  });
  after(() => Promise.all([here.close(), elsewhere.close()]));

  const untilEndedElsewhere = ({ token }: User) =>
    until(async () => (await statusOfMe(elsewhere, token)) === 401);

  const endings: Readonly<Record<string, (session: User, user: User) => Promise<unknown>>> = {
    'a logout': ({ token }) => here.request('POST', '/api/auth/logout', { token }),
    'the end of all others': (_, { token }) => here.request('DELETE', '/api/auth/sessions', { token }),
    'a password change': async (_, user) => {
      const body = { currentPassword: user.password, newPassword: 'another horse battery' };
      expect((await here.post('/api/auth/password', body, { token: user.token })).status).to.equal(200);
    },
    'the setup of a second factor': (_, user) => turnOnFactor(here, user),
    'the deletion of the account': ({ token, password }) =>
      here.post('/api/auth/delete-account', { password }, { token }),
  };
  for (const [name, endSession] of Object.entries(endings)) {
    it(`ends in another instance within a second after ${name}`, async () => {
      const user = users.pop() ?? expect.fail('No user is left.');
      const session = await logInAgain(here, user);
      expect(await statusOfMe(elsewhere, session.token)).to.equal(200);
      await endSession(session, user);
      await untilEndedElsewhere(session);
      const { status } = await elsewhere.post('/api/auth/refresh', { refreshToken: session.refreshToken });
      expect(status).to.equal(401);
    });
  }
});
