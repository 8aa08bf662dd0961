import { expect } from 'chai';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { caller } from '../../../core/accounts/open-core.ts';
import { useService } from '../../../support/service.ts';
import { openOperatorBrowser } from '../../console/console-client.ts';
import { openPage } from '../cookies/jar.ts';
import { makeAppAuthorization, newPkcePair, outcome, RETURN_TO, SETTINGS } from './app-calls.ts';

describe('The authorization of an app', () => {
  const service = useService({ ...SETTINGS, COOKIE_SESSIONS: 'on' });
  const { authorize, begin, redeem } = makeAppAuthorization((...args) => service().post(...args));
  const me = async (token: string) => (await service().request('GET', '/api/auth/me', { token })).status;

  /** A user with two sessions: one in a cookie of the pages, and one with tokens. */
  const signIn = async () => {
    const user = await service().signUp();
    const page = openPage(service());
    await page.logIn(user);
    return { ...user, page, cookie: page.value() };
  };

  it('opens a new session for the app, and keeps the session of the page', async () => {
    const user = await signIn();
    const { status, body } = await authorize(user.cookie, newPkcePair().codeChallenge);
    expect([status, body.expiresIn]).to.deep.equal([200, 60]);
    expect(body).to.have.all.keys('code', 'expiresIn');

    const { status: redeemStatus, body: login } = await redeem(await begin(user.cookie));
    expect(redeemStatus).to.equal(200);
    expect(login).to.have.all.keys('user', 'token', 'refreshToken', 'services', 'banned', 'disabled');
    expect(login.user?.id).to.equal(user.id);
    expect(await me(String(login.token))).to.equal(200);
    expect(await user.page.me()).to.equal(200);
    const { refreshToken } = login;
    expect((await service().post('/api/auth/refresh', { refreshToken })).status).to.equal(200);
  });

  it('opens a session that can end all other sessions and be refreshed afterwards', async () => {
    const user = await signIn();
    const { body: app } = await redeem(await begin(user.cookie));
    const token = String(app.token);
    expect((await service().request('DELETE', '/api/auth/sessions', { token })).status).to.equal(200);
    expect([await user.page.me(), await me(user.token), await me(token)]).to.deep.equal([401, 401, 200]);
    const { refreshToken } = app;
    expect((await service().post('/api/auth/refresh', { refreshToken })).status).to.equal(200);
  });

  it('requires the cookie of a session, and refuses access tokens', async () => {
    const user = await signIn();
    const { codeChallenge } = newPkcePair();
    const authorizeByToken = (token: string) =>
      service().post('/api/auth/handover', { returnTo: RETURN_TO, codeChallenge }, { token });
    const { token: cookieToken } = (await user.page.post('session/token')).body;
    for (const token of [user.token, String(cookieToken)])
      expect(outcome(await authorizeByToken(token))).to.equal('401 invalid_token');
  });

  it('refuses a session of the console, also in an embedded call', async () => {
    const { accounts } = service().composition;
    const { page } = await openOperatorBrowser(service());
    const principal = await accounts.console.authenticate(page.value(), 'operator');
    const { codeChallenge } = newPkcePair();
    const error = await rejectionOf(() =>
      accounts.authorizeApp(principal, { returnTo: RETURN_TO, codeChallenge }, caller),
    );
    expect(error).to.include({ kind: 'forbidden', code: 'cookie_needed' });
  });

  it('refuses an unknown return address, an invalid challenge and a wrong verifier', async () => {
    const { cookie } = await signIn();
    const { codeChallenge, codeVerifier } = newPkcePair();
    const unlisted = `${RETURN_TO}/`;
    expect(outcome(await authorize(cookie, codeChallenge, unlisted))).to.equal('400 invalid_return_to');
    expect(outcome(await authorize(cookie, 'plain'))).to.equal('400 invalid_challenge');
    expect(outcome(await redeem({ ...(await begin(cookie)), codeVerifier }))).to.equal('401 invalid_code');
  });

  it('requires a valid session', async () => {
    const { codeChallenge } = newPkcePair();
    expect(outcome(await authorize('nobody', codeChallenge))).to.equal('401 invalid_token');
  });
});

describe('The authorization of an app without PAGES', () => {
  const service = useService({ ...SETTINGS, PAGES: 'off' });

  it('answers 404 on its routes', async () => {
    const { authorize, redeem } = makeAppAuthorization((...args) => service().post(...args));
    expect(outcome(await authorize('', newPkcePair().codeChallenge))).to.equal('404 not_found');
    expect(outcome(await redeem({}))).to.equal('404 not_found');
  });
});
