import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { type Accounts, createAccounts, type Principal } from '../../../../core/index.ts';
import { codeAt } from '../../../servers/accounts/second-factor/factor.ts';
import { password } from '../admin/open-admin-accounts.ts';
import { newPassword, tokensIn } from '../open-accounts.ts';
import { caller, codeOf } from '../open-core.ts';
import { byCookie, cookieValueIn, DAY, MINUTE, useCookies } from '../sessions/open-cookie-session.ts';

const RETURN_TO = 'https://app.example.com/signed-in';
const OTHER_ADDRESS = 'https://other.example.com/in';
const codeVerifier = 'v'.repeat(43);
const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
const REFUSED = 'invalid_code';

describe('The authorization of an app', () => {
  const core = useCookies();
  let accounts: Accounts;
  /** The value of the cookie at the pages. */
  let page: string;
  beforeEach(async () => {
    accounts = createAccounts(core().ports, {
      cookieSessions: true,
      signInRedirects: [RETURN_TO, OTHER_ADDRESS, '/account/return'],
    });
    page = cookieValueIn(await core().logIn());
  });

  const owner = () => accounts.authenticateCookie(page);
  const authorize = (by: Principal, change: object = {}) =>
    accounts.authorizeApp(by, { returnTo: RETURN_TO, codeChallenge, ...change }, caller);
  /** The input with which an app redeems a new code. */
  const begin = async () => {
    const { code } = await authorize(await owner());
    return { code, codeVerifier, returnTo: RETURN_TO };
  };
  const redeem = (input: Awaited<ReturnType<typeof begin>>) =>
    codeOf(accounts.redeemAuthorizationCode(input, caller));
  const openAppSession = async () => tokensIn(await accounts.redeemAuthorizationCode(await begin(), caller));
  const isLive = async (token: string) => (await accounts.introspect({ token })).active;
  const refresh = (refreshToken: string) => codeOf(accounts.refresh({ refreshToken }, caller));
  const sessions = async () => (await accounts.listSessions(await owner())).sessions;

  it('requires the cookie session of the pages, not an access token or a session of an app', async () => {
    const { token } = await accounts.issueAccessToken(await owner());
    const app = cookieValueIn(await accounts.redeemAuthorizationCode(await begin(), byCookie));
    for (const by of [await accounts.authenticate(token), await accounts.authenticateCookie(app)])
      expect(await codeOf(authorize(by))).to.equal('cookie_needed');
    const { session, ...principal } = await owner();
    const console = { ...principal, session: { ...session, kind: 'console' as const } };
    expect(await codeOf(authorize(console))).to.equal('cookie_needed');
  });

  it('requires an address of the settings in exact spelling, and an S256 challenge', async () => {
    for (const [change, code] of [
      [{ returnTo: '' }, 'invalid_return_to'],
      [{ returnTo: 'https://app.example.com/' }, 'invalid_return_to'],
      [{ returnTo: `${RETURN_TO}/` }, 'invalid_return_to'],
      [{ returnTo: RETURN_TO.toUpperCase() }, 'invalid_return_to'],
      [{ returnTo: 'https://app.example.com@evil.example/signed-in' }, 'invalid_return_to'],
      [{ returnTo: `${RETURN_TO},${OTHER_ADDRESS}` }, 'invalid_return_to'],
      // The address at which flows of the pages end.
      [{ returnTo: '/account/return' }, 'invalid_return_to'],
      [{ codeChallenge: '' }, 'invalid_challenge'],
      [{ codeChallenge: 'plain' }, 'invalid_challenge'],
      [{ codeChallenge: codeChallenge.slice(1) }, 'invalid_challenge'],
      [{ codeChallenge: `${codeChallenge}a` }, 'invalid_challenge'],
      [{ codeChallenge: `${codeChallenge.slice(1)}=` }, 'invalid_challenge'],
    ] as const)
      expect(await codeOf(authorize(await owner(), change)), JSON.stringify(change)).to.equal(code);
  });

  it('logs a refused code as a failed sign-in, and rejects with an error of the store unlogged', async () => {
    const { lines, ports } = core();
    const input = await begin();
    const failures = () =>
      lines.filter(({ event }) => event === 'sign_in.failed').map(({ fields }) => fields);
    await accounts.logOut(await owner(), caller);
    expect(await redeem(input)).to.equal(REFUSED);
    const failure = { factors: ['handover'], address: caller.address, reason: REFUSED };
    expect(failures()).to.deep.equal([failure]);
    const outage = new Error('The disk is full.');
    Object.assign(ports.flows, { find: () => Promise.reject(outage) });
    expect(await accounts.redeemAuthorizationCode(input, caller).catch((error) => error)).to.equal(outage);
    expect(failures()).to.deep.equal([failure]);
  });

  it('is spent by a wrong verifier or address, but not by a wrong code', async () => {
    for (const change of [
      { codeVerifier: 'w'.repeat(43) },
      { returnTo: OTHER_ADDRESS },
      { returnTo: 'https://evil.example/' },
      { returnTo: `${RETURN_TO}/more` },
      { returnTo: RETURN_TO.slice(0, -1) },
    ]) {
      const input = await begin();
      expect(
        [await redeem({ ...input, ...change }), await redeem(input)],
        JSON.stringify(change),
      ).to.deep.equal([REFUSED, REFUSED]);
    }
    expect(await sessions()).to.have.length(2);
    const input = await begin();
    const [id = ''] = input.code.split('.');
    for (const code of ['x', input.code.slice(0, -1), `${id}.${codeChallenge}`, `${input.code}x`])
      expect(await redeem({ ...input, code }), code).to.equal(REFUSED);
    expect(await redeem(input)).to.equal('done');
  });

  for (const [what, change] of Object.entries({
    'a minute later': async () => core().pass(MINUTE),
    'after a change of the password': async () =>
      accounts.changePassword(await owner(), { currentPassword: password, newPassword }, caller),
    'after a sign-out': async () => accounts.logOut(await owner(), caller),
    'after the account was deleted': async () => accounts.deleteAccount(await owner(), { password }, caller),
    'after the account was banned': async () => {
      const by = await owner();
      await accounts.operate.ban(by.user.id, { reason: 'spam', until: null }, { actor: 'operator:cli' });
      expect(await codeOf(authorize(by))).to.equal('account_banned');
    },
  }))
    it(`is no longer valid ${what}`, async () => {
      const input = await begin();
      await change();
      expect(await redeem(input)).to.equal(REFUSED);
    });

  for (const [what, end] of Object.entries({
    'a sign-out': async () => accounts.logOut(await owner(), caller),
    'the list of another session': async (id: string) => {
      const { token } = tokensIn(await core().logIn(caller));
      await accounts.endSession(await accounts.authenticate(token), id, caller);
    },
    'an operator': async (id: string) => {
      await accounts.operate.endSession(core().userId, id, { actor: 'operator:cli' });
      await accounts.background.relay();
    },
  }))
    it(`opens a session that names the page’s session, and ends with it by ${what}`, async () => {
      const app = await openAppSession();
      const [appSession, ...others] = (await sessions()).filter(({ givenBy }) => givenBy !== undefined);
      const { session } = await owner();
      expect([appSession?.givenBy, others]).to.deep.equal([session.id, []]);
      expect(await isLive(app.token)).to.equal(true);
      await end(session.id);
      expect([await isLive(app.token), await refresh(app.refreshToken)]).to.deep.equal([
        false,
        'invalid_refresh_token',
      ]);
    });

  it('opens a session that ends with the page’s, which stays active while the app is used', async () => {
    core().pass(DAY);
    let { refreshToken } = await openAppSession();
    for (let day = 1; day < 179; day += 1) {
      core().pass(DAY);
      ({ refreshToken } = await accounts.refresh({ refreshToken }, caller));
    }
    expect(await codeOf(owner())).to.equal('done');
    core().pass(DAY);
    expect(await refresh(refreshToken)).to.equal('invalid_refresh_token');
  });

  it('opens a session that stays active after a change of the password by the app', async () => {
    const app = await accounts.authenticate((await openAppSession()).token);
    const tokens = tokensIn(
      await accounts.changePassword(app, { currentPassword: password, newPassword }, caller),
    );
    expect(await codeOf(owner())).to.equal('invalid_token');
    expect([await isLive(tokens.token), await refresh(tokens.refreshToken)]).to.deep.equal([true, 'done']);
  });

  it('opens a session that can end all others, also the page’s, and stays active', async () => {
    const [app, otherApp] = [await openAppSession(), await openAppSession()];
    const byApp = await accounts.authenticate(app.token);
    for (let time = 0; time < 2; time += 1) await accounts.endOtherSessions(byApp, caller);
    expect([await codeOf(owner()), await isLive(otherApp.token)]).to.deep.equal(['invalid_token', false]);
    expect(await isLive(app.token)).to.equal(true);
    const { sessions: remaining } = await accounts.listSessions(await accounts.authenticate(app.token));
    expect(remaining.map(({ id }) => id)).to.deep.equal([byApp.session.id]);
    const { givenBy: parent = '' } = byApp.session;
    expect(await codeOf(accounts.endSession(byApp, parent, caller))).to.equal('session_not_found');
    expect(await refresh(app.refreshToken)).to.equal('done');
  });

  it('opens a session that stays active when it turns on a factor, which ends the page’s', async () => {
    const app = await openAppSession();
    const byApp = await accounts.authenticate(app.token);
    const { session: parent } = await owner();
    const setup = await accounts.configureTwoFactor(byApp, { enable: true }, caller);
    const secret = 'secret' in setup ? setup.secret : expect.fail('There is no secret.');
    const verificationCode = codeAt(secret, core().ports.clock.now());
    await accounts.configureTwoFactor(byApp, { enable: true, secret, verificationCode }, caller);
    expect([await codeOf(owner()), await isLive(app.token)]).to.deep.equal(['invalid_token', true]);
    const repeatedEnd = accounts.endSession(await accounts.authenticate(app.token), parent.id, caller);
    expect(await codeOf(repeatedEnd)).to.equal('session_not_found');
    expect([await isLive(app.token), await refresh(app.refreshToken)]).to.deep.equal([true, 'done']);
  });

  it('opens a cookie session that stays active without the page’s, and authorizes no app', async () => {
    const app = cookieValueIn(await accounts.redeemAuthorizationCode(await begin(), byCookie));
    await accounts.endOtherSessions(await accounts.authenticateCookie(app), caller);
    expect(await codeOf(owner())).to.equal('invalid_token');
    expect(await codeOf(authorize(await accounts.authenticateCookie(app)))).to.equal('cookie_needed');
  });

  it('opens a session that stays active if a stale refresh follows the end of the others', async () => {
    const app = await openAppSession();
    const byApp = await accounts.authenticate(app.token);
    const { sessions: stored } = core().ports;
    const before =
      (await stored.find(byApp.user.id, byApp.session.id)) ?? expect.fail('There is no session.');
    await accounts.endOtherSessions(byApp, caller);
    expect(await stored.change(before, { ...before, refreshDigest: 'next' })).to.equal(false);
    expect(await isLive(app.token)).to.equal(true);
  });

  it('opens a session as fresh as the page’s, and mails the owner the app and the IP address', async () => {
    core().pass(11 * MINUTE);
    const app = await accounts.authenticate((await openAppSession()).token);
    const ask = accounts.askEmailChange(app, { email: 'new@example.com' }, caller);
    expect(await codeOf(ask)).to.equal('fresh_authentication_needed');
    await accounts.background.relay();
    await accounts.background.deliverMail(1);
    const { subject, text } = core().mails.at(-1) ?? expect.fail('There is no mail.');
    expect(subject).to.contain('app.example.com');
    expect(text).to.contain(caller.address);
  });
});
