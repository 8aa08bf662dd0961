import { expect } from 'chai';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { caller } from '../../../core/accounts/open-core.ts';
import { type User, useService } from '../../../support/service.ts';
import { atConsole } from '../../console/opened.ts';
import { openPage } from '../cookies/jar.ts';
import { makeHandover, newHalf, outcome, RETURN_TO, SETTINGS } from './app.ts';

type Page = ReturnType<typeof openPage>;

const REFUSED = '401 invalid_code';

describe('The hand-over to an app', () => {
  const service = useService({ ...SETTINGS, COOKIE_SESSIONS: 'on' });
  const { give, begin, redeem } = makeHandover((...given) => service().post(...given));
  const me = async (token: string) => (await service().request('GET', '/api/auth/me', { token })).status;
  const sessionsOf = async ({ token }: Pick<User, 'token'>) =>
    Array.from(
      (await service().request('GET', '/api/auth/sessions', { token })).body.sessions as unknown as Iterable<{
        readonly id: string;
        readonly current: boolean;
        readonly givenBy?: string;
      }>,
    );

  /** A user who is signed in at the pages, and has an access token besides. */
  const signedIn = async () => {
    const user = await service().signUp();
    const page = openPage(service());
    await page.logIn(user);
    return { ...user, page, cookie: page.value() };
  };
  const letIn = async (cookie: string) => {
    const { status, body } = await redeem(await begin(cookie));
    expect(status).to.equal(200);
    return { token: String(body.token), refreshToken: String(body.refreshToken) };
  };
  const refresh = async ({ refreshToken }: Pick<User, 'refreshToken'>) =>
    service().post('/api/auth/refresh', { refreshToken });

  it('gives the app a session of its own, and leaves the other as it was', async () => {
    const user = await signedIn();
    const { status, body } = await give(user.cookie, newHalf().codeChallenge);
    expect([status, body.expiresIn]).to.deep.equal([200, 60]);
    expect(body).to.have.all.keys('code', 'expiresIn');

    const { status: redeemed, body: login } = await redeem(await begin(user.cookie));
    expect(redeemed).to.equal(200);
    expect(login).to.have.all.keys('user', 'token', 'refreshToken', 'services', 'banned', 'disabled');
    expect(login.user?.id).to.equal(user.id);
    expect(await me(String(login.token))).to.equal(200);
    expect(await user.page.me()).to.equal(200);
    expect(outcome(await refresh({ refreshToken: String(login.refreshToken) }))).to.equal('200');
  });

  it('is given by the cookie of a session alone, and by no session of an app', async () => {
    const user = await signedIn();
    const { codeChallenge } = newHalf();
    const byToken = (token: string) =>
      service().post('/api/auth/handover', { returnTo: RETURN_TO, codeChallenge }, { token });
    const { token: ofCookie } = (await user.page.post('session/token')).body;
    for (const token of [user.token, String(ofCookie)])
      expect(outcome(await byToken(token))).to.equal('401 invalid_token');
    const site = openPage(service());
    await site.post('handover/redeem', await begin(user.cookie), { 'X-Session': 'cookie' });
    expect(await site.me()).to.equal(200);
    expect(outcome(await give(site.value(), codeChallenge))).to.equal('403 cookie_needed');
  });

  it('is not given by a session of the console, to an embedding app either', async () => {
    const { accounts } = service().composition;
    const { page } = await atConsole(service());
    const who = await accounts.console.authenticate(page.value(), 'operator');
    const { codeChallenge } = newHalf();
    const error = await rejectionOf(() =>
      accounts.authorizeApp(who, { returnTo: RETURN_TO, codeChallenge }, caller),
    );
    expect(error).to.include({ kind: 'forbidden', code: 'cookie_needed' });
  });

  it('lists the app’s session as one that the page’s gave', async () => {
    const user = await signedIn();
    const app = await letIn(user.cookie);
    const own = (await sessionsOf(app)).find(({ current }) => current);
    const others = (await sessionsOf(app)).filter(({ current }) => !current);
    expect(others.map(({ id }) => id)).to.include(own?.givenBy);
    expect(others.map(({ givenBy }) => givenBy)).to.deep.equal([undefined, undefined]);
  });

  it('mails the owner where and when which app was let in', async () => {
    const user = await signedIn();
    await letIn(user.cookie);
    const mail = await service().mailTo(user.email, 2);
    expect(mail.subject).to.contain('app.example.com');
    expect(mail.text).to.contain('127.0.0.1');
  });

  it('ends the app’s session with the page’s: at a sign-out, in the list, and by an operator', async () => {
    const ends: Readonly<Record<string, (user: User & { readonly page: Page }) => Promise<unknown>>> = {
      'a sign-out': ({ page }) => page.post('logout'),
      'the list': async (user) => {
        const given = (await sessionsOf(user)).find(({ givenBy }) => givenBy !== undefined);
        return service().request('DELETE', `/api/auth/sessions/${given?.givenBy}`, { token: user.token });
      },
      'an operator': async ({ id, token }) => {
        const given = (await sessionsOf({ token })).find(({ givenBy }) => givenBy !== undefined);
        const { operate } = service().composition.accounts;
        await operate.endSession(id, given?.givenBy ?? '', { actor: 'tester' });
        await service().composition.accounts.background.relay();
      },
    };
    for (const [what, end] of Object.entries(ends)) {
      const user = await signedIn();
      const app = await letIn(user.cookie);
      expect(await me(app.token), what).to.equal(200);
      await end(user);
      expect(await me(app.token), what).to.equal(401);
      expect(outcome(await refresh(app)), what).to.equal('401 invalid_refresh_token');
      expect(await sessionsOf(user), what).to.have.length(1);
    }
  });

  it('ends the app’s session no later than the page’s, and keeps the page’s while the app is used', async () => {
    const user = await signedIn();
    const DAY = 86_400_000;
    service().clock.advance(DAY);
    expect(await user.page.me()).to.equal(200);
    let app = await letIn(user.cookie);
    for (let day = 1; day < 179; day += 1) {
      service().clock.advance(DAY);
      const { status, body } = await refresh(app);
      expect(status, String(day)).to.equal(200);
      app = { token: String(body.token), refreshToken: String(body.refreshToken) };
    }
    expect(await user.page.me()).to.equal(200);
    service().clock.advance(DAY);
    expect(outcome(await refresh(app))).to.equal('401 invalid_refresh_token');
  });

  it('keeps the app’s session that its owner carries over a change of the password', async () => {
    const user = await signedIn();
    const app = await letIn(user.cookie);
    const change = { currentPassword: user.password, newPassword: 'another horse battery' };
    const { status, body } = await service().post('/api/auth/password', change, { token: app.token });
    expect(status).to.equal(200);
    expect(await user.page.me()).to.equal(401);
    expect(await me(String(body.token))).to.equal(200);
    expect(outcome(await refresh({ refreshToken: String(body.refreshToken) }))).to.equal('200');
  });

  it('is no newer a proof than the page’s', async () => {
    const user = await signedIn();
    service().clock.advance(11 * 60_000);
    const { token } = await letIn(user.cookie);
    const asked = await service().post('/api/auth/email', { email: 'new@example.com' }, { token });
    expect([asked.status, asked.body.code]).to.deep.equal([403, 'fresh_authentication_needed']);
  });

  it('goes to addresses of the settings alone, letter by letter', async () => {
    const { cookie } = await signedIn();
    const { codeChallenge } = newHalf();
    for (const address of [
      '',
      'https://app.example.com/',
      `${RETURN_TO}/`,
      RETURN_TO.toUpperCase(),
      'https://app.example.com@evil.example/signed-in',
      `${RETURN_TO},https://other.example.com/in`,
    ])
      expect(outcome(await give(cookie, codeChallenge, address)), address).to.equal('400 invalid_return_to');
  });

  it('takes no challenge but S256', async () => {
    const { cookie } = await signedIn();
    const { codeChallenge } = newHalf();
    for (const challenge of [
      '',
      'plain',
      codeChallenge.slice(1),
      `${codeChallenge}a`,
      `${codeChallenge.slice(1)}=`,
    ])
      expect(outcome(await give(cookie, challenge)), challenge).to.equal('400 invalid_challenge');
  });

  it('refuses what is wrong about a use, and the code is spent by it', async () => {
    const { cookie, token } = await signedIn();
    for (const wrong of [
      { codeVerifier: newHalf().codeVerifier },
      { returnTo: 'https://other.example.com/in' },
      { returnTo: 'https://evil.example/' },
      { returnTo: `${RETURN_TO}/more` },
      { returnTo: RETURN_TO.slice(0, -1) },
    ]) {
      const right = await begin(cookie);
      expect(outcome(await redeem({ ...right, ...wrong })), JSON.stringify(wrong)).to.equal(REFUSED);
      expect(outcome(await redeem(right)), JSON.stringify(wrong)).to.equal(REFUSED);
    }
    expect(await sessionsOf({ token })).to.have.length(2);
  });

  it('refuses codes that nobody gave, which spends none', async () => {
    const { cookie } = await signedIn();
    const right = await begin(cookie);
    const [id = ''] = right.code.split('.');
    for (const code of ['x', right.code.slice(0, -1), `${id}.${newHalf().codeChallenge}`, `${right.code}x`])
      expect(outcome(await redeem({ ...right, code })), code).to.equal(REFUSED);
    expect(outcome(await redeem(right))).to.equal('200');
  });

  it('comes too late after a minute', async () => {
    const { cookie } = await signedIn();
    const right = await begin(cookie);
    service().clock.advance(60_000);
    expect(outcome(await redeem(right))).to.equal(REFUSED);
  });

  it('is off once the password is changed, the session is over, or the account is', async () => {
    const changes: Readonly<Record<string, (user: User & { readonly page: Page }) => Promise<unknown>>> = {
      'the password': ({ token, password }) =>
        service().post(
          '/api/auth/password',
          { currentPassword: password, newPassword: 'another horse battery' },
          { token },
        ),
      'the session': ({ page }) => page.post('logout'),
      'the account': ({ token, password }) =>
        service().post('/api/auth/delete-account', { password }, { token }),
    };
    for (const [what, change] of Object.entries(changes)) {
      const user = await signedIn();
      const right = await begin(user.cookie);
      await change(user);
      expect(outcome(await redeem(right)), what).to.equal(REFUSED);
    }
  });

  it('gives a banned account no code, and none that it had is good', async () => {
    const user = await signedIn();
    const right = await begin(user.cookie);
    const { operate } = service().composition.accounts;
    await operate.ban(user.id, { reason: 'a test', until: null }, { actor: 'tester' });
    expect(outcome(await give(user.cookie, newHalf().codeChallenge))).to.equal('403 account_banned');
    expect(outcome(await redeem(right))).to.equal(REFUSED);
  });

  it('is for the owner of a session', async () => {
    const { codeChallenge } = newHalf();
    expect(outcome(await give('nobody', codeChallenge))).to.equal('401 invalid_token');
  });
});

describe('Without pages', () => {
  const service = useService({ ...SETTINGS, PAGES: 'off' });

  it('there is no hand-over', async () => {
    const { give, redeem } = makeHandover((...given) => service().post(...given));
    expect(outcome(await give('', newHalf().codeChallenge))).to.equal('404 not_found');
    expect(outcome(await redeem({}))).to.equal('404 not_found');
  });
});
