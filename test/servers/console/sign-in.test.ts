import { expect } from 'chai';
import { useService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { cookieValueIn, setCookieLinesOf } from '../accounts/cookies/jar.ts';
import { signUpWithFactor, turnOnFactor } from '../accounts/second-factor/factor.ts';
import {
  appoint,
  dismiss,
  makeOperator,
  openConsole,
  openOperatorBrowser,
  outcome,
} from './console-client.ts';

const VALUE = '[0-9a-f-]{36}\\.[0-9a-f-]{36}\\.[\\w-]{43}\\.[\\w-]{22}';
const MAX_AGE = 43_200;

describe('Sign-in to the console', () => {
  const service = useService();
  // The last founder cannot be dismissed.
  before(() => makeOperator(service()));

  it('sets a cookie of the console for an operator with a second factor, and returns no tokens', async () => {
    const eve = await makeOperator(service(), 'dev');
    const page = openConsole(service());
    const reply = await page.signIn(eve);
    expect(reply.status).to.equal(200);
    expect(reply.body.user?.id).to.equal(eve.user.id);
    expect(reply.body).not.to.have.any.keys('token', 'refreshToken', 'cookie');
    expect(setCookieLinesOf(reply)).to.have.length(1);
    expect(setCookieLinesOf(reply)[0]).to.match(
      new RegExp(`^gatehouse-console=${VALUE}; Path=/api; HttpOnly; SameSite=Strict; Max-Age=${MAX_AGE}$`),
    );
    expect(await page.me()).to.equal(200);
  });

  it('requires the second factor after the password', async () => {
    const { user, app } = await makeOperator(service(), 'dev');
    const page = openConsole(service());
    const { email, password } = user;
    const reply = await page.post('/api/admin/sign-in', { email, password });
    expect([reply.status, reply.body.requires2FA, cookieValueIn(reply)]).to.deep.equal([
      200,
      true,
      undefined,
    ]);
    const { pendingToken } = reply.body;
    const second = { email, pendingToken, verificationCode: app.fresh() };
    expect((await page.post('/api/admin/sign-in', second)).status).to.equal(200);
    expect(await page.me()).to.equal(200);
  });

  it('refuses users and dismissed operators only after a correct password and code', async () => {
    const eve = await signUpWithFactor(service());
    const page = openConsole(service());
    expect(outcome(await page.signIn(eve, eve.app.wrong()))).to.deep.equal([401, 'invalid_two_factor_code']);
    expect(outcome(await page.signIn(eve))).to.deep.equal([403, 'operators_only']);
    await appoint(service(), eve.user);
    expect((await page.signIn(eve)).status).to.equal(200);
    await dismiss(service(), eve.user);
    const dismissed = await openConsole(service()).signIn(eve);
    expect([...outcome(dismissed), cookieValueIn(dismissed)]).to.deep.equal([
      403,
      'operators_only',
      undefined,
    ]);
    const { email } = eve.user;
    const wrong = await page.post('/api/admin/sign-in', { email, password: 'not this one' });
    expect(outcome(wrong)).to.deep.equal([401, 'wrong_credentials']);
  });

  it('refuses an operator without a second factor', async () => {
    const user = await service().signUp();
    await appoint(service(), user, 'founder');
    const page = openConsole(service());
    const { email, password } = user;
    const refused = await page.post('/api/admin/sign-in', { email, password });
    expect([...outcome(refused), cookieValueIn(refused)]).to.deep.equal([
      403,
      'two_factor_required',
      undefined,
    ]);
    const app = await turnOnFactor(service(), user);
    expect((await page.signIn({ user, app })).status).to.equal(200);
  });

  it('refuses banned and disabled operators', async () => {
    const leaked = { reason: 'leaked a password', until: null };
    const { operate } = service().composition.accounts;
    for (const [code, restrict] of [
      ['account_banned', operate.ban],
      ['account_disabled', operate.disable],
    ] as const) {
      const eve = await makeOperator(service(), 'dev');
      await restrict(eve.user.id, leaked, { actor: 'operator:cli' });
      expect(outcome(await openConsole(service()).signIn(eve))).to.deep.equal([403, code]);
    }
  });

  it('uses up a code of the second factor even if it refuses the sign-in', async () => {
    const eve = await signUpWithFactor(service());
    const code = eve.app.fresh();
    expect(outcome(await openConsole(service()).signIn(eve, code))).to.deep.equal([403, 'operators_only']);
    await appoint(service(), eve.user);
    expect(outcome(await openConsole(service()).signIn(eve, code))).to.deep.equal([
      401,
      'invalid_two_factor_code',
    ]);
  });

  it('accepts a recovery code once, and notifies the operator by mail', async () => {
    const eve = await makeOperator(service(), 'dev');
    const before = service().mails.length;
    const [code = ''] = eve.app.recoveryCodes;
    expect((await openConsole(service()).signIn(eve, code)).status).to.equal(200);
    expect(outcome(await openConsole(service()).signIn(eve, code))[0]).to.equal(401);
    const notices = () =>
      service()
        .mails.slice(before)
        .filter(({ to, subject }) => to === eve.user.email && /recovery code/.test(subject));
    await until(() => notices().length === 1);
  });

  it('counts wrong passwords together with `/api/auth/login`, and locks the account for both', async () => {
    const { user } = await makeOperator(service(), 'dev');
    const { email } = user;
    const page = openConsole(service());
    const wrong = { email, password: 'not this one at all' };
    let last = await page.post('/api/admin/sign-in', wrong);
    for (let attempts = 1; attempts < 400 && last.status === 401; attempts += 1)
      last = await page.post('/api/admin/sign-in', wrong);
    expect(outcome(last)).to.deep.equal([429, 'login_held']);
    expect(outcome(await service().post('/api/auth/login', wrong))).to.deep.equal([429, 'login_held']);
  });

  it('adds a session to the list of the account, where its owner can end it', async () => {
    const { user, page } = await openOperatorBrowser(service());
    const list = async () => {
      const { body } = await service().request('GET', '/api/auth/sessions', { token: user.token });
      return Array.from(
        body.sessions as unknown as Iterable<{ id: string; kind?: string; current: boolean }>,
      );
    };
    const consoleSessions = (await list()).filter(({ kind }) => kind === 'console');
    expect(consoleSessions).to.have.length(1);
    expect(consoleSessions[0]?.current).to.equal(false);
    expect((await list()).filter(({ kind }) => kind === undefined)).not.to.be.empty;
    const end = `/api/auth/sessions/${consoleSessions[0]?.id}`;
    expect((await service().request('DELETE', end, { token: user.token })).status).to.equal(200);
    expect(await page.me()).to.equal(401);
  });
});

describe('The cookie of the console over https', () => {
  const origin = 'https://console.example.com';
  const service = useService({ CONSOLE_URL: origin, PUBLIC_URL: 'https://accounts.example.com' });

  const send = (method: string, path: string, Cookie: string) =>
    openConsole(service()).send(method, path, { headers: { Cookie } });
  const me = (cookie: string) => send('GET', '/api/auth/me', cookie);
  const post = (path: string, cookie: string) => send('POST', path, cookie);

  it('has the `__Host-` prefix and the Secure attribute', async () => {
    const eve = await makeOperator(service(), 'dev');
    const reply = await openConsole(service()).signIn(eve);
    expect(setCookieLinesOf(reply)[0]).to.match(
      /^__Host-gatehouse-console=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Strict; Max-Age=43200$/,
    );
  });

  it('is read and cleared under its `__Host-` name only', async () => {
    const eve = await makeOperator(service(), 'dev');
    const value = cookieValueIn(await openConsole(service()).signIn(eve)) ?? '';
    expect((await me(`__Host-gatehouse-console=${value}`)).status).to.equal(200);
    for (const name of ['__Secure-gatehouse-console', 'gatehouse-console'])
      expect(outcome(await me(`${name}=${value}`)), name).to.deep.equal([401, 'invalid_token']);
    const planted = '__Secure-gatehouse-console=planted';
    expect((await me(`${planted}; __Host-gatehouse-console=${value}`)).status).to.equal(200);
    const signedOut = await post('/api/auth/logout', `__Host-gatehouse-console=${value}`);
    expect(setCookieLinesOf(signedOut)).to.deep.equal([
      '__Host-gatehouse-console=; Path=/; HttpOnly; Secure; SameSite=Strict; Max-Age=0',
    ]);
  });
});
