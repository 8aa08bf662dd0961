import { expect } from 'chai';
import { useService } from '../../support/service.ts';
import { cookieValueIn, openPage } from '../accounts/cookies/jar.ts';
import { dismiss, makeOperator, openConsole, openOperatorBrowser, outcome } from './console-client.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const CLI = { actor: 'operator:cli' } as const;
const RESTRICTION = { reason: 'leaked a password', until: null };

describe('A session of the console', () => {
  const service = useService();
  // The last founder cannot be dismissed.
  before(() => makeOperator(service()));

  it('expires after 30 minutes without use, but not while it is used', async () => {
    const { page } = await openOperatorBrowser(service());
    for (let uses = 0; uses < 3; uses += 1) {
      service().clock.advance(29 * MINUTE_MS);
      expect(await page.me(), `use ${uses}`).to.equal(200);
    }
    service().clock.advance(31 * MINUTE_MS);
    const expired = await page.send('GET', '/api/auth/me');
    // The answer also clears the cookie.
    expect([...outcome(expired), cookieValueIn(expired)]).to.deep.equal([401, 'invalid_token', '']);
  });

  it('expires after 12 hours even while it is used', async () => {
    const { page } = await openOperatorBrowser(service());
    for (let at = 0; at + 25 * MINUTE_MS < 12 * HOUR_MS; at += 25 * MINUTE_MS) {
      service().clock.advance(25 * MINUTE_MS);
      expect(await page.me(), `${at / MINUTE_MS} min`).to.equal(200);
    }
    service().clock.advance(25 * MINUTE_MS);
    expect(await page.me()).to.equal(401);
  });

  it('is refused at once after its owner is dismissed', async () => {
    const { user, page } = await openOperatorBrowser(service());
    expect((await page.send('GET', '/api/avatar')).status).to.equal(404);
    await dismiss(service(), user);
    expect(outcome(await page.send('GET', '/api/avatar'))).to.deep.equal([403, 'operators_only']);
    // The page can still sign out.
    expect((await page.send('POST', '/api/auth/logout')).status).to.equal(200);
  });

  it('is refused at once after the second factor is turned off', async () => {
    const { user, app, page } = await openOperatorBrowser(service());
    const body = { enable: false, verificationCode: app.fresh() };
    expect((await service().post('/api/auth/2fa', body, { token: user.token })).status).to.equal(200);
    expect((await page.send('GET', '/api/avatar')).status).to.be.oneOf([401, 403]);
  });

  it('is refused at once after its owner is banned or disabled', async () => {
    const { operate } = service().composition.accounts;
    const banned = await openOperatorBrowser(service());
    await operate.ban(banned.user.id, RESTRICTION, CLI);
    expect((await banned.page.send('GET', '/api/avatar')).status).to.be.oneOf([401, 403]);
    const disabled = await openOperatorBrowser(service());
    await operate.disable(disabled.user.id, RESTRICTION, CLI);
    expect((await disabled.page.send('GET', '/api/avatar')).status).to.be.oneOf([401, 403]);
  });

  it('ends after a password change, a logout, or the end of all sessions of its owner', async () => {
    const first = await openOperatorBrowser(service());
    const { token, password } = first.user;
    const change = {
      currentPassword: password,
      newPassword: 'another horse battery',
      verificationCode: first.app.fresh(),
    };
    expect((await service().post('/api/auth/password', change, { token })).status).to.equal(200);
    expect(await first.page.me()).to.equal(401);

    const second = await openOperatorBrowser(service());
    const value = second.page.value();
    expect((await second.page.send('POST', '/api/auth/logout')).status).to.equal(200);
    expect(second.page.value()).to.equal('');
    second.page.keep(value);
    expect(await second.page.me()).to.equal(401);

    const third = await openOperatorBrowser(service());
    await service().composition.accounts.operate.endSessions(third.user.id, { actor: 'operator:cli' });
    expect(await third.page.me()).to.equal(401);
  });

  it('gets a new cookie value after a proof, and its old value expires after a minute', async () => {
    const { user, app, page } = await openOperatorBrowser(service());
    const before = page.value();
    const proof = { password: user.password, verificationCode: app.fresh() };
    expect((await page.post('/api/auth/reauthenticate', proof)).status).to.equal(200);
    expect(page.value()).not.to.equal(before);
    const old = openConsole(service());
    old.keep(before);
    service().clock.advance(MINUTE_MS + 1_000);
    expect(await old.me()).to.equal(401);
    expect(await page.me()).to.equal(200);
  });

  it('refuses a recovery code as a proof, and the code stays valid for a sign-in', async () => {
    const { user, app, page } = await openOperatorBrowser(service());
    const [code = ''] = app.recoveryCodes;
    const proof = { password: user.password, verificationCode: code };
    expect(outcome(await page.post('/api/auth/reauthenticate', proof))).to.deep.equal([
      ...[401, 'invalid_two_factor_code'],
    ]);
    service().clock.advance(11 * MINUTE_MS);
    const refused = await page.send('POST', `/api/admin/users/${user.id}/verify`, {
      body: { reason: 'A try', seen: new Date().toISOString() },
    });
    expect(refused.body).to.have.property('code', 'fresh_authentication_needed');
    expect(refused.body.methods).to.deep.equal(['password', 'totp']);
    expect((await openConsole(service()).signIn({ user, app }, code)).status).to.equal(200);
  });

  it('refuses the password alone as a proof', async () => {
    const { user, page } = await openOperatorBrowser(service());
    const { password } = user;
    expect(outcome(await page.post('/api/auth/reauthenticate', { password }))[0]).to.equal(400);
  });
});

describe('A session of the console beside cookie sessions', () => {
  const service = useService({ COOKIE_SESSIONS: 'on', ADMIN_ROUTES: 'both' });

  it('is refused by the account service under either cookie name, and cookie sessions by the console', async () => {
    const { user, app, page } = await openOperatorBrowser(service());
    const account = openPage(service());
    await account.post(
      'login',
      { email: user.email, password: user.password, verificationCode: app.fresh() },
      { 'X-Session': 'cookie' },
    );
    expect(await account.me()).to.equal(200);
    const mixed = openPage(service());
    mixed.keep(page.value());
    expect(await mixed.me()).to.equal(401);
    const other = openConsole(service());
    other.keep(account.value());
    expect(await other.me()).to.equal(401);
    // The account service reads the console's cookie name only on the console's routes.
    const headers = { Cookie: `gatehouse-console=${page.value()}`, 'Sec-Fetch-Site': 'same-origin' };
    expect((await service().request('GET', '/api/auth/me', { headers })).status).to.equal(401);
    expect((await service().post('/api/auth/session/token', {}, { headers })).status).to.equal(401);
  });

  it('is refused as a bearer token, as a refresh token and at an introspection', async () => {
    const { page } = await openOperatorBrowser(service());
    const value = page.value();
    expect((await service().request('GET', '/api/auth/me', { token: value })).status).to.equal(401);
    expect((await service().request('GET', '/api/admin/users', { token: value })).status).to.equal(401);
    expect((await service().post('/api/auth/refresh', { refreshToken: value })).status).to.equal(401);
    const [secret = ''] = service().composition.internalSecrets;
    const headers = { 'x-internal-secret': secret };
    const { body } = await service().post('/api/auth/introspect', { token: value }, { headers });
    expect(body).to.deep.equal({ active: false });
  });
});
