import { expect } from 'chai';
import { createAccounts } from '../../../../core/index.ts';
import { password } from '../admin/open-admin-accounts.ts';
import { caller, codeOf, tokensIn } from '../open-core.ts';
import { byCookie, cookieValueIn, DAY, email, MINUTE, useCookies } from './open-cookie-session.ts';

describe('A cookie session', () => {
  const core = useCookies();

  it('begins with a cookie value in place of tokens, of which only a digest is stored', async () => {
    const { accounts, logIn, ports, session, userId } = core();
    const answer = await logIn();
    const value = cookieValueIn(answer);
    expect(answer)
      .to.include({ status: 'signed_in', transport: 'cookie' })
      .and.not.have.any.keys('token', 'refreshToken');
    expect(answer).to.have.nested.property('cookie.maxAge', 180 * 86_400);
    expect(await session(value)).to.deep.include({
      refreshDigest: null,
      cookie: {
        digest: ports.digest.sha256(value),
        previousDigest: null,
        changedAt: ports.clock.now(),
      },
    });
    const principal = await accounts.authenticateCookie(value, 'active', caller);
    expect(principal.user.id).to.equal(userId);
    expect(principal.session.inCookie).to.equal(true);
    expect(JSON.stringify(principal)).not.to.contain(ports.digest.sha256(value)).and.not.to.contain(value);
  });

  it('is refused while cookie sessions are turned off, also if it began before', async () => {
    const { logIn, ports } = core();
    const value = cookieValueIn(await logIn());
    const accounts = createAccounts(ports);
    expect(await codeOf(accounts.logIn({ email, password }, byCookie))).to.equal('cookie_sessions_off');
    expect(await codeOf(accounts.authenticateCookie(value))).to.equal('invalid_token');
    expect(await accounts.introspect({ token: value })).to.deep.equal({ active: false });
  });

  it('D4: has a value that is refused as a token, and is not opened by a token', async () => {
    const { accounts, logIn } = core();
    const value = cookieValueIn(await logIn());
    const { token, refreshToken } = tokensIn(await logIn(caller));

    expect(await codeOf(accounts.authenticate(value))).to.equal('invalid_token');
    expect(await codeOf(accounts.refresh({ refreshToken: value }, caller))).to.equal('invalid_refresh_token');
    for (const invalidValue of [token, refreshToken, '', 'made.up', `${value}x`, value.slice(0, -1)])
      expect(await codeOf(accounts.authenticateCookie(invalidValue)), invalidValue).to.equal('invalid_token');
    // Neither attempt ended the session.
    expect(await codeOf(accounts.authenticateCookie(value))).to.equal('done');
    expect(await codeOf(accounts.refresh({ refreshToken }, caller))).to.equal('done');
  });

  it('D4: is not opened by a value with parts of two sessions, or a refresh token’s MAC', async () => {
    const { accounts, logIn } = core();
    const first = cookieValueIn(await logIn()).split('.');
    const second = cookieValueIn(await logIn()).split('.');
    const refresh = tokensIn(await logIn(caller)).refreshToken.split('.');
    for (const parts of [
      [first[0], second[1], first[2], first[3]],
      [first[0], first[1], second[2], second[3]],
      [first[0], first[1], first[2], refresh[3]],
    ])
      expect(await codeOf(accounts.authenticateCookie(parts.join('.')))).to.equal('invalid_token');
  });

  it('stores its use at most every 15 minutes, and expires 30 days after its last use', async () => {
    const { accounts, logIn, pass, session } = core();
    const value = cookieValueIn(await logIn());
    const beganAt = (await session(value)).lastUsedAt;
    const use = (client = { ...caller, address: '192.0.2.77' }) =>
      codeOf(accounts.authenticateCookie(value, 'active', client));

    pass(15 * MINUTE - 1);
    await use();
    expect((await session(value)).lastUsedAt).to.equal(beganAt);
    pass(1);
    await use();
    expect(await session(value)).to.include({ lastUsedAt: beganAt + 15 * MINUTE, address: '192.0.2.77' });

    pass(30 * DAY - 1);
    expect(await use()).to.equal('done');
    pass(30 * DAY);
    expect(await use()).to.equal('invalid_token');
    pass(DAY);
    await accounts.background.sweep();
    expect(await codeOf(session(value))).to.equal(undefined);
  });

  it('expires after 180 days of daily use', async () => {
    const { accounts, logIn, pass } = core();
    const value = cookieValueIn(await logIn());
    for (let day = 0; day < 179; day += 1) {
      pass(DAY);
      expect(await codeOf(accounts.authenticateCookie(value))).to.equal('done');
    }
    pass(DAY);
    expect(await codeOf(accounts.authenticateCookie(value))).to.equal('invalid_token');
  });

  it('is valid while the store fails to write', async () => {
    const { logIn, pass, processOn } = core();
    const value = cookieValueIn(await logIn());
    pass(DAY);
    const process = processOn({ change: () => Promise.reject(new Error('The disk is full.')) });
    expect(await codeOf(process.authenticateCookie(value))).to.equal('done');
  });

  it('ends by a sign-out, or when another session ends all others', async () => {
    const { accounts, logIn } = core();
    const first = cookieValueIn(await logIn());
    const second = cookieValueIn(await logIn());
    const third = cookieValueIn(await logIn());
    await accounts.logOut(await accounts.authenticateCookie(first), caller);
    expect(await codeOf(accounts.authenticateCookie(first))).to.equal('invalid_token');
    await accounts.endOtherSessions(await accounts.authenticateCookie(second), caller);
    expect(await codeOf(accounts.authenticateCookie(second))).to.equal('done');
    expect(await codeOf(accounts.authenticateCookie(third))).to.equal('invalid_token');
  });

  it('issues access tokens, which cannot replace the cookie and end with the session', async () => {
    const { accounts, logIn } = core();
    const principal = await accounts.authenticateCookie(cookieValueIn(await logIn()));
    const { token } = await accounts.issueAccessToken(principal);
    const byToken = await accounts.authenticate(token);
    expect([byToken.session.id, byToken.cookie]).to.deep.equal([principal.session.id, undefined]);
    expect(await codeOf(accounts.issueAccessToken(byToken))).to.equal('cookie_needed');
    expect(await codeOf(accounts.reauthenticate(byToken, { password }, caller))).to.equal('cookie_needed');
    const change = { currentPassword: password, newPassword: 'another horse battery' };
    expect(await codeOf(accounts.changePassword(byToken, change, caller))).to.equal('cookie_needed');
    await accounts.logOut(principal, caller);
    expect(await codeOf(accounts.authenticate(token))).to.equal('invalid_token');
    expect(await codeOf(accounts.issueAccessToken(principal))).to.equal('invalid_token');
  });

  it('issues access tokens only for audiences of the settings', async () => {
    const { logIn, ports } = core();
    const accounts = createAccounts(ports, { cookieSessions: true, tokenAudiences: ['mail'] });
    const principal = await accounts.authenticateCookie(cookieValueIn(await logIn()));
    const ask = (audience: string) => codeOf(accounts.issueAccessToken(principal, { audience }));
    expect([await ask('mail'), await ask('files'), await ask('')]).to.deep.equal([
      'done',
      'invalid_audience',
      'invalid_audience',
    ]);
  });

  it('issues access tokens to a principal from before a proof, but not before a new password', async () => {
    const { accounts, logIn } = core();
    const earlierPrincipal = await accounts.authenticateCookie(cookieValueIn(await logIn()));
    const newValue = cookieValueIn(await accounts.reauthenticate(earlierPrincipal, { password }, caller));
    const { token } = await accounts.issueAccessToken(earlierPrincipal);
    expect(await codeOf(accounts.authenticate(token))).to.equal('done');

    // Another process may accept a stolen value for a second. Its token must not outlive that second.
    const thief = await accounts.authenticateCookie(newValue);
    const input = { currentPassword: password, newPassword: 'another horse battery' };
    const result = await accounts.changePassword(thief, input, caller);
    expect(await codeOf(accounts.issueAccessToken(thief))).to.equal('cookie_replaced');
    const newToken = await accounts.issueAccessToken(
      await accounts.authenticateCookie(cookieValueIn(result)),
    );
    expect(await codeOf(accounts.authenticate(newToken.token))).to.equal('done');
  });

  it('is introspected by its value', async () => {
    const { accounts, logIn, userId } = core();
    const value = cookieValueIn(await logIn());
    const introspection = await accounts.introspect({ token: value });
    expect(introspection).to.include({ active: true, sub: userId, token_type: 'Cookie', tier: 'free' });
    expect(JSON.stringify(introspection)).not.to.contain(value.split('.')[2]);
    await accounts.logOut(await accounts.authenticateCookie(value), caller);
    expect(await accounts.introspect({ token: value })).to.deep.equal({ active: false });
  });
});
