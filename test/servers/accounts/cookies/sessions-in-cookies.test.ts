import { expect } from 'chai';
import { useService } from '../../../support/service.ts';
import { signUpWithFactor } from '../second-factor/factor.ts';
import { cookieValueIn, openPage, setCookieLinesOf } from './jar.ts';

const SECRET = 'c7d0b24e6f9a4c1d8e3b5a7f90d1c2e4';
const FORM = '[0-9a-f-]{36}\\.[0-9a-f-]{36}\\.[\\w-]{43}\\.[\\w-]{22}';

describe('A session in a cookie', () => {
  const service = useService({ COOKIE_SESSIONS: 'on', INTERNAL_SECRET: SECRET });
  const signIn = async () => {
    const user = await service().signUp();
    const page = openPage(service());
    const login = await page.logIn(user);
    return { user, page, login };
  };

  it('begins with a login that asks for a cookie, and whose reply has no token', async () => {
    const { user, login } = await signIn();
    expect(login.status).to.equal(200);
    expect(login.body).to.have.all.keys('user', 'services', 'banned', 'disabled');
    expect(login.body.user?.id).to.equal(user.id);
    expect(setCookieLinesOf(login)).to.have.length(1);
    expect(setCookieLinesOf(login)[0]).to.match(
      new RegExp(`^gatehouse=${FORM}; Path=/; HttpOnly; SameSite=Lax; Max-Age=15552000$`),
    );
  });

  it('begins with the verification of an email as well, and not with X-Session: token', async () => {
    const [email, password] = ['first@example.com', 'correct horse battery'];
    await service().post('/api/auth/register', { email, password });
    const page = openPage(service());
    const code = await service().codeFor(email);
    const { body } = await page.post('verify-email', { email, code, password }, { 'X-Session': 'cookie' });
    expect([body.token, body.user?.email]).to.deep.equal([undefined, email]);
    expect(await page.me()).to.equal(200);

    const plain = await page.post('login', { email, password }, { 'X-Session': 'token' });
    expect([typeof plain.body.token, cookieValueIn(plain)]).to.deep.equal(['string', undefined]);
  });

  it('is accepted on the routes of users, and not on those of operators', async () => {
    const { user, page } = await signIn();
    await service().composition.accounts.operate.appoint(user.id, 'founder', {
      actor: 'operator:cli',
    });
    expect((await page.send('PATCH', '/api/auth/me', { body: { displayName: 'Ada' } })).status).to.equal(200);
    expect((await page.send('GET', '/api/avatar')).status).to.equal(404);
    expect((await page.send('GET', '/api/auth/sessions')).body.sessions).to.have.length(2);
    expect((await page.send('GET', '/api/admin/users')).status).to.equal(401);
    const { token } = (await page.post('session/token')).body;
    expect((await service().request('GET', '/api/admin/users', { token: String(token) })).status).to.equal(
      200,
    );
  });

  it('is ignored beside an access token', async () => {
    const { page } = await signIn();
    const other = await service().signUp();
    const headers = { Authorization: `Bearer ${other.token}` };
    const { body } = await page.send('GET', '/api/auth/me', { headers });
    expect(body.user?.id).to.equal(other.id);
    const wrong = { Authorization: 'Bearer wrong' };
    const refused = await page.send('GET', '/api/auth/me', { headers: wrong });
    expect([refused.status, cookieValueIn(refused)]).to.deep.equal([401, undefined]);
    await page.post('logout', undefined, headers);
    expect(await page.me()).to.equal(200);
  });

  it('D3: gets a new value at a fresh proof', async () => {
    const { user, page } = await signIn();
    const before = page.value();
    service().clock.advance(11 * 60_000);
    expect((await page.send('DELETE', '/api/auth/sessions')).body.code).to.equal(
      'fresh_authentication_needed',
    );
    const { status, body } = await page.post('reauthenticate', { password: user.password });
    expect(status).to.equal(200);
    expect(body).to.have.all.keys('success', 'freshUntil');
    expect(page.value()).not.to.equal(before);
    expect((await page.send('DELETE', '/api/auth/sessions')).status).to.equal(200);
  });

  it('gets a new value at a password change, and the former value is refused at once', async () => {
    const { user, page } = await signIn();
    const stalePage = openPage(service());
    stalePage.keep(page.value());
    const { status, body } = await page.post('password', {
      currentPassword: user.password,
      newPassword: 'another horse battery',
    });
    expect([status, body]).to.deep.equal([200, { success: true }]);
    expect(await page.me()).to.equal(200);
    const refused = await stalePage.send('GET', '/api/auth/me');
    // The browser has the new cookie by now, which must not be cleared.
    expect([refused.body.code, cookieValueIn(refused)]).to.deep.equal(['cookie_replaced', undefined]);
  });

  it('is cleared, with the attributes of its cookie, once it has ended', async () => {
    const CLEARED = ['gatehouse=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0'];
    const { user, page } = await signIn();
    const endedPage = openPage(service());
    endedPage.keep(page.value());
    expect(setCookieLinesOf(await page.post('logout'))).to.deep.equal(CLEARED);
    const refused = await endedPage.send('GET', '/api/auth/me');
    expect([refused.status, setCookieLinesOf(refused)]).to.deep.equal([401, CLEARED]);
    await page.logIn(user);
    const listed = JSON.stringify((await page.send('GET', '/api/auth/sessions')).body.sessions);
    const sessions: readonly { id: string; current: boolean }[] = JSON.parse(listed);
    const end = (isOwn: boolean) =>
      page.send('DELETE', `/api/auth/sessions/${sessions.find(({ current }) => current === isOwn)?.id}`);
    expect(setCookieLinesOf(await end(false))).to.deep.equal([]);
    expect(setCookieLinesOf(await end(true))).to.deep.equal(CLEARED);
    await page.logIn(user);
    expect(setCookieLinesOf(await page.post('delete-account', { password: user.password }))).to.deep.equal(
      CLEARED,
    );
  });

  it('issues access tokens for other services, but not to an access token', async () => {
    const { user, page } = await signIn();
    const { status, body } = await page.post('session/token');
    expect([status, Object.keys(body)]).to.deep.equal([200, ['token']]);
    const token = String(body.token);
    expect((await service().request('GET', '/api/auth/me', { token })).body.user?.id).to.equal(user.id);
    for (const request of [{ token }, {}])
      expect((await service().post('/api/auth/session/token', {}, request)).status).to.equal(401);
    const proof = await service().post('/api/auth/reauthenticate', { password: user.password }, { token });
    expect([proof.status, proof.body.code]).to.deep.equal([403, 'cookie_needed']);
  });

  it('D5: is not written to the log', async () => {
    const { user, page } = await signIn();
    await page.post('reauthenticate', { password: user.password });
    await page.post('logout');
    const log = JSON.stringify(service().log.lines);
    expect(log).to.contain('session.logged_out');
    expect(log).not.to.match(new RegExp(FORM));
  });

  it('begins with the second factor, and not with the challenge', async () => {
    const { user, app } = await signUpWithFactor(service());
    const page = openPage(service());
    const challenged = await page.logIn(user);
    expect([challenged.body.requires2FA, cookieValueIn(challenged)]).to.deep.equal([true, undefined]);
    const { email } = user;
    const second = { email, pendingToken: challenged.body.pendingToken, verificationCode: app.fresh() };
    const login = await page.post('login', second, { 'X-Session': 'cookie' });
    expect([login.body.token, await page.me()]).to.deep.equal([undefined, 200]);
  });
});

describe('A service without COOKIE_SESSIONS and PAGES', () => {
  const service = useService({ PAGES: 'off' });

  it('sets and accepts no cookie, and has no route or document for cookies', async () => {
    const user = await service().signUp();
    const page = openPage(service());
    const login = await page.logIn(user);
    expect([typeof login.body.token, cookieValueIn(login)]).to.deep.equal(['string', undefined]);
    page.keep(String(login.body.refreshToken));
    const refused = await page.send('GET', '/api/auth/me');
    expect([refused.status, cookieValueIn(refused)]).to.deep.equal([401, undefined]);
    expect((await page.post('session/token')).status).to.equal(404);
    const evil = { 'Sec-Fetch-Site': 'cross-site' };
    expect((await page.post('login', user, evil)).status).to.equal(200);
    const { paths } = (await service().request('GET', '/openapi.json')).body;
    expect(JSON.stringify(paths)).not.to.match(/session\/token|cross_site|X-Session|cookie/i);
  });
});
