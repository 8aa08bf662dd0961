import { expect } from 'chai';
import { useService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { linesOf, valueIn } from '../accounts/cookies/jar.ts';
import { signUpWithFactor, turnOnFactor } from '../accounts/second-factor/factor.ts';
import { appoint, atConsole, dismiss, makeOperator, openConsole, outcome } from './opened.ts';

const FORM = '[0-9a-f-]{36}\\.[0-9a-f-]{36}\\.[\\w-]{43}\\.[\\w-]{22}';
const HOURS_12 = 43_200;

describe('Sign-in to the console', () => {
  const service = useService();
  // One founder has to stay.
  before(() => makeOperator(service()));

  it('lets an operator with a second factor in, by a cookie of its own and without a token', async () => {
    const person = await makeOperator(service(), 'dev');
    const page = openConsole(service());
    const reply = await page.signIn(person);
    expect(reply.status).to.equal(200);
    expect(reply.body.user?.id).to.equal(person.user.id);
    expect(reply.body).not.to.have.any.keys('token', 'refreshToken', 'cookie');
    expect(linesOf(reply)).to.have.length(1);
    expect(linesOf(reply)[0]).to.match(
      new RegExp(`^gatehouse-console=${FORM}; Path=/api; HttpOnly; SameSite=Strict; Max-Age=${HOURS_12}$`),
    );
    expect(await page.me()).to.equal(200);
  });

  it('asks for the second factor after the password, as every login does', async () => {
    const { user, app } = await makeOperator(service(), 'dev');
    const page = openConsole(service());
    const { email, password } = user;
    const asked = await page.post('/api/admin/sign-in', { email, password });
    expect([asked.status, asked.body.requires2FA, valueIn(asked)]).to.deep.equal([200, true, undefined]);
    const { pendingToken } = asked.body;
    const second = { email, pendingToken, verificationCode: app.fresh() };
    expect((await page.post('/api/admin/sign-in', second)).status).to.equal(200);
    expect(await page.me()).to.equal(200);
  });

  it('refuses whoever is no operator, or was dismissed, only after password and code were right', async () => {
    const person = await signUpWithFactor(service());
    const page = openConsole(service());
    expect(outcome(await page.signIn(person, person.app.wrong()))).to.deep.equal([
      401,
      'invalid_two_factor_code',
    ]);
    expect(outcome(await page.signIn(person))).to.deep.equal([403, 'operators_only']);
    await appoint(service(), person.user);
    expect((await page.signIn(person)).status).to.equal(200);
    await dismiss(service(), person.user);
    const dismissed = await openConsole(service()).signIn(person);
    expect([...outcome(dismissed), valueIn(dismissed)]).to.deep.equal([403, 'operators_only', undefined]);
    const { email } = person.user;
    const wrong = await page.post('/api/admin/sign-in', { email, password: 'not this one' });
    expect(outcome(wrong)).to.deep.equal([401, 'wrong_credentials']);
  });

  it('refuses an operator without a second factor', async () => {
    const user = await service().signUp();
    await appoint(service(), user, 'founder');
    const page = openConsole(service());
    const { email, password } = user;
    const refused = await page.post('/api/admin/sign-in', { email, password });
    expect([...outcome(refused), valueIn(refused)]).to.deep.equal([403, 'two_factor_required', undefined]);
    const app = await turnOnFactor(service(), user);
    expect((await page.signIn({ user, app })).status).to.equal(200);
  });

  it('refuses banned and disabled operators', async () => {
    const leaked = { reason: 'leaked a password', until: null };
    const { operate } = service().composition.accounts;
    for (const [refusal, act] of [
      ['account_banned', operate.ban],
      ['account_disabled', operate.disable],
    ] as const) {
      const person = await makeOperator(service(), 'dev');
      await act(person.user.id, leaked, { actor: 'operator:cli' });
      expect(outcome(await openConsole(service()).signIn(person))).to.deep.equal([403, refusal]);
    }
  });

  it('takes a code once, and spends it where nobody is let in', async () => {
    const person = await signUpWithFactor(service());
    const code = person.app.fresh();
    expect(outcome(await openConsole(service()).signIn(person, code))).to.deep.equal([403, 'operators_only']);
    await appoint(service(), person.user);
    expect(outcome(await openConsole(service()).signIn(person, code))).to.deep.equal([
      401,
      'invalid_two_factor_code',
    ]);
  });

  it('takes a recovery code, and tells the operator by mail', async () => {
    const person = await makeOperator(service(), 'dev');
    const before = service().mails.length;
    const [code = ''] = person.app.recoveryCodes;
    expect((await openConsole(service()).signIn(person, code)).status).to.equal(200);
    expect(outcome(await openConsole(service()).signIn(person, code))[0]).to.equal(401);
    const told = () =>
      service()
        .mails.slice(before)
        .filter(({ to, subject }) => to === person.user.email && /recovery code/.test(subject));
    await until(() => told().length === 1);
  });

  it('counts wrong passwords as the login does, and holds the account for both', async () => {
    const { user } = await makeOperator(service(), 'dev');
    const { email } = user;
    const page = openConsole(service());
    const wrong = { email, password: 'not this one at all' };
    let last = await page.post('/api/admin/sign-in', wrong);
    for (let tries = 1; tries < 400 && last.status === 401; tries += 1)
      last = await page.post('/api/admin/sign-in', wrong);
    expect(outcome(last)).to.deep.equal([429, 'login_held']);
    expect(outcome(await service().post('/api/auth/login', wrong))).to.deep.equal([429, 'login_held']);
  });

  it('shows the session in the list of the account, and lets its owner end it there', async () => {
    const { user, page } = await atConsole(service());
    const list = async () => {
      const { body } = await service().request('GET', '/api/auth/sessions', { token: user.token });
      return Array.from(
        body.sessions as unknown as Iterable<{ id: string; kind?: string; current: boolean }>,
      );
    };
    const ours = (await list()).filter(({ kind }) => kind === 'console');
    expect(ours).to.have.length(1);
    expect(ours[0]?.current).to.equal(false);
    expect((await list()).filter(({ kind }) => kind === undefined)).not.to.be.empty;
    const end = `/api/auth/sessions/${ours[0]?.id}`;
    expect((await service().request('DELETE', end, { token: user.token })).status).to.equal(200);
    expect(await page.me()).to.equal(401);
  });
});

describe('Over https the cookie of the console', () => {
  const origin = 'https://console.example.com';
  const service = useService({ CONSOLE_URL: origin, PUBLIC_URL: 'https://accounts.example.com' });

  const send = (method: string, path: string, Cookie: string) =>
    openConsole(service()).send(method, path, { headers: { Cookie } });
  const me = (cookie: string) => send('GET', '/api/auth/me', cookie);
  const post = (path: string, cookie: string) => send('POST', path, cookie);

  it('is for https and for this host alone', async () => {
    const person = await makeOperator(service(), 'dev');
    const reply = await openConsole(service()).signIn(person);
    expect(linesOf(reply)[0]).to.match(
      /^__Host-gatehouse-console=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Strict; Max-Age=43200$/,
    );
  });

  it('is read under the name that no host beside this one can set, and under no other', async () => {
    const person = await makeOperator(service(), 'dev');
    const value = valueIn(await openConsole(service()).signIn(person)) ?? '';
    expect((await me(`__Host-gatehouse-console=${value}`)).status).to.equal(200);
    for (const name of ['__Secure-gatehouse-console', 'gatehouse-console'])
      expect(outcome(await me(`${name}=${value}`)), name).to.deep.equal([401, 'invalid_token']);
    const planted = '__Secure-gatehouse-console=planted';
    expect((await me(`${planted}; __Host-gatehouse-console=${value}`)).status).to.equal(200);
    const signedOut = await post('/api/auth/logout', `__Host-gatehouse-console=${value}`);
    expect(linesOf(signedOut)).to.deep.equal([
      '__Host-gatehouse-console=; Path=/; HttpOnly; Secure; SameSite=Strict; Max-Age=0',
    ]);
  });
});
