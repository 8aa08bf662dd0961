import { expect } from 'chai';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { caller } from '../../../core/accounts/open-core.ts';
import { useService } from '../../../support/service.ts';
import { atConsole } from '../../console/opened.ts';
import { openPage } from '../cookies/jar.ts';
import { makeHandover, newHalf, outcome, RETURN_TO, SETTINGS } from './app.ts';

describe('The hand-over to an app', () => {
  const service = useService({ ...SETTINGS, COOKIE_SESSIONS: 'on' });
  const { give, begin, redeem } = makeHandover((...given) => service().post(...given));
  const me = async (token: string) => (await service().request('GET', '/api/auth/me', { token })).status;

  /** A user who is signed in at the pages, and has an access token besides. */
  const signedIn = async () => {
    const user = await service().signUp();
    const page = openPage(service());
    await page.logIn(user);
    return { ...user, page, cookie: page.value() };
  };

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
    const { refreshToken } = login;
    expect((await service().post('/api/auth/refresh', { refreshToken })).status).to.equal(200);
  });

  it('gives a session that ends all others and goes on', async () => {
    const user = await signedIn();
    const { body: app } = await redeem(await begin(user.cookie));
    const token = String(app.token);
    expect((await service().request('DELETE', '/api/auth/sessions', { token })).status).to.equal(200);
    expect([await user.page.me(), await me(user.token), await me(token)]).to.deep.equal([401, 401, 200]);
    const { refreshToken } = app;
    expect((await service().post('/api/auth/refresh', { refreshToken })).status).to.equal(200);
  });

  it('is given by the cookie of a session alone', async () => {
    const user = await signedIn();
    const { codeChallenge } = newHalf();
    const byToken = (token: string) =>
      service().post('/api/auth/handover', { returnTo: RETURN_TO, codeChallenge }, { token });
    const { token: ofCookie } = (await user.page.post('session/token')).body;
    for (const token of [user.token, String(ofCookie)])
      expect(outcome(await byToken(token))).to.equal('401 invalid_token');
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

  it('is refused for another address, another challenge and another verifier', async () => {
    const { cookie } = await signedIn();
    const { codeChallenge, codeVerifier } = newHalf();
    expect(outcome(await give(cookie, codeChallenge, `${RETURN_TO}/`))).to.equal('400 invalid_return_to');
    expect(outcome(await give(cookie, 'plain'))).to.equal('400 invalid_challenge');
    expect(outcome(await redeem({ ...(await begin(cookie)), codeVerifier }))).to.equal('401 invalid_code');
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
