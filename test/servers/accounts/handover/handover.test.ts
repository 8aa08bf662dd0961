import { expect } from 'chai';
import { type User, useService } from '../../../support/service.ts';
import { openPage } from '../cookies/jar.ts';
import { turnOnFactor } from '../second-factor/factor.ts';
import { makeHandover, newHalf, outcome, RETURN_TO, SETTINGS } from './app.ts';

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
      }>,
    );

  it('gives the app a session of its own, and leaves the other as it was', async () => {
    const user = await service().signUp();
    const { status, body } = await give(user.token, newHalf().codeChallenge);
    expect([status, body.expiresIn]).to.deep.equal([200, 60]);
    expect(body).to.have.all.keys('code', 'expiresIn');

    const { status: redeemed, body: login } = await redeem(await begin(user.token));
    expect(redeemed).to.equal(200);
    expect(login).to.have.all.keys('user', 'token', 'refreshToken', 'services', 'banned', 'disabled');
    expect(login.user?.id).to.equal(user.id);
    expect(await me(String(login.token))).to.equal(200);
    expect(await me(user.token)).to.equal(200);
    expect(await sessionsOf(user)).to.have.length(2);
    const refreshed = await service().post('/api/auth/refresh', { refreshToken: String(login.refreshToken) });
    expect(refreshed.status).to.equal(200);
  });

  it('gives a session in a cookie to the app that asks for one', async () => {
    const user = await service().signUp();
    const site = openPage(service());
    const reply = await site.post('handover/redeem', await begin(user.token), { 'X-Session': 'cookie' });
    expect(reply.status).to.equal(200);
    expect(reply.body).not.to.have.any.keys('token', 'refreshToken');
    expect(await site.me()).to.equal(200);
  });

  it('takes a page’s cookie in place of a token', async () => {
    const user = await service().signUp();
    const page = openPage(service());
    await page.logIn(user);
    const { codeVerifier, codeChallenge } = newHalf();
    const { body } = await page.post('handover', { returnTo: RETURN_TO, codeChallenge });
    const sent = { code: String(body.code), codeVerifier, returnTo: RETURN_TO };
    expect(outcome(await redeem(sent))).to.equal('200');
  });

  it('asks for no second factor again, and is no newer a proof than the page’s', async () => {
    const user = await service().signUp();
    await turnOnFactor(service(), user);
    service().clock.advance(11 * 60_000);
    const { body } = await service().post('/api/auth/refresh', { refreshToken: user.refreshToken });
    const { body: login } = await redeem(await begin(String(body.token)));
    const asked = await service().post(
      '/api/auth/email',
      { email: 'new@example.com' },
      { token: String(login.token) },
    );
    expect([asked.status, asked.body.code]).to.deep.equal([403, 'fresh_authentication_needed']);
  });

  it('goes to addresses of the settings alone, letter by letter', async () => {
    const { token } = await service().signUp();
    const { codeChallenge } = newHalf();
    for (const address of [
      '',
      'https://app.example.com/',
      `${RETURN_TO}/`,
      `${RETURN_TO}?`,
      `${RETURN_TO}#`,
      `${RETURN_TO}%20`,
      RETURN_TO.toUpperCase(),
      'https://app.example.com:443/signed-in',
      'https://app.example.com@evil.example/signed-in',
      'https://evil@app.example.com/signed-in',
      `${RETURN_TO},https://other.example.com/in`,
    ])
      expect(outcome(await give(token, codeChallenge, address)), address).to.equal('400 invalid_return_to');
  });

  it('takes no challenge but S256', async () => {
    const { token } = await service().signUp();
    const { codeChallenge } = newHalf();
    for (const challenge of [
      '',
      'plain',
      codeChallenge.slice(1),
      `${codeChallenge}a`,
      `${codeChallenge.slice(1)}=`,
    ])
      expect(outcome(await give(token, challenge)), challenge).to.equal('400 invalid_challenge');
  });

  it('refuses what is wrong about a use, and the code is spent by it', async () => {
    const { token } = await service().signUp();
    for (const wrong of [
      { codeVerifier: newHalf().codeVerifier },
      { returnTo: 'https://other.example.com/in' },
      { returnTo: 'https://evil.example/' },
    ]) {
      const right = await begin(token);
      expect(outcome(await redeem({ ...right, ...wrong })), JSON.stringify(wrong)).to.equal(REFUSED);
      expect(outcome(await redeem(right)), JSON.stringify(wrong)).to.equal(REFUSED);
    }
    expect(await sessionsOf({ token })).to.have.length(1);
  });

  it('refuses codes that nobody gave, which spends none', async () => {
    const { token } = await service().signUp();
    const right = await begin(token);
    const [id = ''] = right.code.split('.');
    for (const code of ['x', right.code.slice(0, -1), `${id}.${newHalf().codeChallenge}`, `${right.code}x`])
      expect(outcome(await redeem({ ...right, code })), code).to.equal(REFUSED);
    expect(outcome(await redeem(right))).to.equal('200');
  });

  it('ends the session of the first use with the second', async () => {
    const user = await service().signUp();
    const right = await begin(user.token);
    const { body } = await redeem(right);
    service().clock.advance(5 * 60_000);
    expect(outcome(await redeem({ ...right, codeVerifier: newHalf().codeVerifier }))).to.equal(REFUSED);
    expect(await me(String(body.token))).to.equal(401);
    const refreshed = await service().post('/api/auth/refresh', { refreshToken: String(body.refreshToken) });
    expect(outcome(refreshed)).to.equal('401 invalid_refresh_token');
    expect(await me(user.token)).to.equal(200);
  });

  it('comes too late after a minute', async () => {
    const { token } = await service().signUp();
    const right = await begin(token);
    service().clock.advance(60_000);
    expect(outcome(await redeem(right))).to.equal(REFUSED);
  });

  it('is off once the password is changed, the session is over, or the account is', async () => {
    const changes: Readonly<Record<string, (user: User) => Promise<unknown>>> = {
      'the password': ({ token, password }) =>
        service().post(
          '/api/auth/password',
          { currentPassword: password, newPassword: 'another horse battery' },
          { token },
        ),
      'the session': ({ token }) => service().post('/api/auth/logout', undefined, { token }),
      'the account': ({ token, password }) =>
        service().post('/api/auth/delete-account', { password }, { token }),
    };
    for (const [what, change] of Object.entries(changes)) {
      const user = await service().signUp();
      const right = await begin(user.token);
      await change(user);
      expect(outcome(await redeem(right)), what).to.equal(REFUSED);
    }
  });

  it('gives a banned account no code, and none that it had is good', async () => {
    const user = await service().signUp();
    const right = await begin(user.token);
    const { operate } = service().composition.accounts;
    await operate.ban(user.id, { reason: 'a test', until: null }, { actor: 'tester' });
    expect(outcome(await give(user.token, newHalf().codeChallenge))).to.equal('403 account_banned');
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
    const { token } = await service().signUp();
    const { give, redeem } = makeHandover((...given) => service().post(...given));
    expect(outcome(await give(token, newHalf().codeChallenge))).to.equal('404 not_found');
    expect(outcome(await redeem({}))).to.equal('404 not_found');
  });
});
