import { expect } from 'chai';
import { useService } from '../../support/service.ts';
import { openPage, valueIn } from '../accounts/cookies/jar.ts';
import { atConsole, dismiss, makeOperator, openConsole, outcome } from './opened.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const CLI = { actor: 'operator:cli' } as const;
const AN_ACT = { reason: 'leaked a password', until: null };

describe('A session of the console', () => {
  const service = useService();
  // One founder has to stay.
  before(() => makeOperator(service()));

  it('is over after 30 minutes without use, and goes on while it is used', async () => {
    const { page } = await atConsole(service());
    for (let uses = 0; uses < 3; uses += 1) {
      service().clock.advance(29 * MINUTE);
      expect(await page.me(), `use ${uses}`).to.equal(200);
    }
    service().clock.advance(31 * MINUTE);
    const over = await page.send('GET', '/api/auth/me');
    // A dead cookie is cleared.
    expect([...outcome(over), valueIn(over)]).to.deep.equal([401, 'invalid_token', '']);
  });

  it('is over after 12 hours, however much it is used', async () => {
    const { page } = await atConsole(service());
    for (let at = 0; at + 25 * MINUTE < 12 * HOUR; at += 25 * MINUTE) {
      service().clock.advance(25 * MINUTE);
      expect(await page.me(), `${at / MINUTE} min`).to.equal(200);
    }
    service().clock.advance(25 * MINUTE);
    expect(await page.me()).to.equal(401);
  });

  it('is refused at once when its owner is no operator any more', async () => {
    const { user, page } = await atConsole(service());
    expect((await page.send('GET', '/api/avatar')).status).to.equal(404);
    await dismiss(service(), user);
    expect(outcome(await page.send('GET', '/api/avatar'))).to.deep.equal([403, 'operators_only']);
    // The page asks who it is, and may sign out.
    expect((await page.send('POST', '/api/auth/logout')).status).to.equal(200);
  });

  it('is refused at once when the second factor is off', async () => {
    const { user, app, page } = await atConsole(service());
    const body = { enable: false, verificationCode: app.fresh() };
    expect((await service().post('/api/auth/2fa', body, { token: user.token })).status).to.equal(200);
    expect((await page.send('GET', '/api/avatar')).status).to.be.oneOf([401, 403]);
  });

  it('is refused at once when its owner is banned, or disabled', async () => {
    const { operate } = service().composition.accounts;
    const banned = await atConsole(service());
    await operate.ban(banned.user.id, AN_ACT, CLI);
    expect((await banned.page.send('GET', '/api/avatar')).status).to.be.oneOf([401, 403]);
    const disabled = await atConsole(service());
    await operate.disable(disabled.user.id, AN_ACT, CLI);
    expect((await disabled.page.send('GET', '/api/avatar')).status).to.be.oneOf([401, 403]);
  });

  it('ends with a change of the password, a logout, and when its owner is signed out everywhere', async () => {
    const first = await atConsole(service());
    const { token, password } = first.user;
    const change = {
      currentPassword: password,
      newPassword: 'another horse battery',
      verificationCode: first.app.fresh(),
    };
    expect((await service().post('/api/auth/password', change, { token })).status).to.equal(200);
    expect(await first.page.me()).to.equal(401);

    const second = await atConsole(service());
    const value = second.page.value();
    expect((await second.page.send('POST', '/api/auth/logout')).status).to.equal(200);
    expect(second.page.value()).to.equal('');
    second.page.keep(value);
    expect(await second.page.me()).to.equal(401);

    const third = await atConsole(service());
    await service().composition.accounts.operate.endSessions(third.user.id, { actor: 'operator:cli' });
    expect(await third.page.me()).to.equal(401);
  });

  it('has another value after each proof, and the one before is over after a minute', async () => {
    const { user, app, page } = await atConsole(service());
    const before = page.value();
    const proof = { password: user.password, verificationCode: app.fresh() };
    expect((await page.post('/api/auth/reauthenticate', proof)).status).to.equal(200);
    expect(page.value()).not.to.equal(before);
    const late = openConsole(service());
    late.keep(before);
    service().clock.advance(MINUTE + 1_000);
    expect(await late.me()).to.equal(401);
    expect(await page.me()).to.equal(200);
  });

  it('proves nothing by a recovery code, which stays good for a sign-in', async () => {
    const { user, app, page } = await atConsole(service());
    const [code = ''] = app.recoveryCodes;
    const proof = { password: user.password, verificationCode: code };
    expect(outcome(await page.post('/api/auth/reauthenticate', proof))).to.deep.equal([
      ...[401, 'invalid_two_factor_code'],
    ]);
    service().clock.advance(11 * MINUTE);
    const refused = await page.send('POST', `/api/admin/users/${user.id}/verify`, {
      body: { reason: 'A try', seen: new Date().toISOString() },
    });
    expect(refused.body).to.have.property('code', 'fresh_authentication_needed');
    expect(refused.body.methods).to.deep.equal(['password', 'totp']);
    expect((await openConsole(service()).signIn({ user, app }, code)).status).to.equal(200);
  });

  it('proves nothing by the password alone', async () => {
    const { user, page } = await atConsole(service());
    const { password } = user;
    expect(outcome(await page.post('/api/auth/reauthenticate', { password }))[0]).to.equal(400);
  });
});

describe('Beside sessions in cookies the one of the console', () => {
  const service = useService({ COOKIE_SESSIONS: 'on', ADMIN_ROUTES: 'both' });

  it('is not taken by the account service under either name, nor are the others by the console', async () => {
    const { user, app, page } = await atConsole(service());
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
    // Under the console's own name the account service knows it nowhere but on the console's routes.
    const headers = { Cookie: `gatehouse-console=${page.value()}`, 'Sec-Fetch-Site': 'same-origin' };
    expect((await service().request('GET', '/api/auth/me', { headers })).status).to.equal(401);
    expect((await service().post('/api/auth/session/token', {}, { headers })).status).to.equal(401);
  });

  it('is no token: not as a bearer, for a refresh, or at an introspection', async () => {
    const { page } = await atConsole(service());
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
