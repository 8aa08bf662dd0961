import { expect } from 'chai';
import { createAccountsClient, type FinishedSignIn } from '../../../servers/client/index.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { person } from '../../support/scripted-providers.ts';
import { locationOf, REDIRECT, useTrips } from '../accounts/providers/flows.ts';
import { codeAt } from '../accounts/second-factor/factor.ts';
import { makeStorage } from './storage.ts';

const redirectUri = REDIRECT;

describe('The client’s sign-in with providers', () => {
  const trips = useTrips();
  const { service, jar, base } = trips;
  let made = 0;
  const somebody = () => {
    made += 1;
    return person({ subject: `c${made}`, email: `c${made}@example.com` });
  };
  const open = () => {
    const sent: string[] = [];
    const fetchAndNote = (request: Request) => {
      sent.push(new URL(request.url).pathname);
      return fetch(request);
    };
    return { accounts: createAccountsClient({ baseUrl: service().url, fetch: fetchAndNote }), sent };
  };
  type Opened = ReturnType<typeof open>;

  /** A browser goes to the address and comes back from the provider. */
  const follow = async (address: string, said = somebody()): Promise<URL> => {
    const browser = jar();
    const answer = await trips.setOut(said, browser, new URL(address).search.slice(1));
    return locationOf(await browser.go(`${base}/callback?${answer}`));
  };
  const logIn = async ({ accounts }: Opened, said = somebody()) => {
    const address = await accounts.signIn.begin('example', { redirectUri });
    return accounts.signIn.finish(await follow(address, said));
  };
  const errorOf = (finished: FinishedSignIn | undefined) => finished?.error?.code;

  it('logs in, and keeps the tokens', async () => {
    const opened = open();
    const finished = await logIn(opened);
    expect(finished?.purpose).to.equal('login');
    expect(finished?.data).to.include.keys('user', 'token');
    const { data } = await opened.accounts.GET('/api/auth/me');
    expect(data?.user.email).to.equal(`c${made}@example.com`);
  });

  it('says what is asked for in place of a login, and what was refused', async () => {
    const step = await logIn(open(), person({ subject: 'none', email: null, emailVerified: false }));
    expect(step?.data).to.include.keys('requiresEmail', 'signUpToken');
    const { email } = await service().signUp();
    const refused = await logIn(open(), person({ subject: 'other', email }));
    expect(refused?.error).to.include({ code: 'account_exists', email }).and.include.keys('linkToken');
  });

  it('takes nothing that it has not begun, and sends no code of it', async () => {
    const [one, other] = [open(), open()];
    const back = await follow(await one.accounts.signIn.begin('example', { redirectUri }));
    expect(await other.accounts.signIn.finish(back)).to.deep.include({ purpose: null });
    expect(other.sent).to.deep.equal([]);
    expect((await one.accounts.signIn.finish(back))?.purpose).to.equal('login');
    expect(errorOf(await one.accounts.signIn.finish(back))).to.equal('state_unknown');
  });

  it('tells an address to which nothing came back, and one with a refusal', async () => {
    const { accounts } = open();
    expect(await accounts.signIn.finish(new URL(redirectUri))).to.equal(undefined);
    for (const [error, code] of [
      ['access_denied', 'access_denied'],
      ['<b>anything</b>', 'provider_error'],
      ['constructor', 'provider_error'],
    ] as const) {
      const address = await accounts.signIn.begin('example', { redirectUri });
      const state = new URL(address).searchParams.get('state') ?? '';
      const query = new URLSearchParams({ error, state });
      const finished = await accounts.signIn.finish({ href: `${redirectUri}?${query}` });
      expect([finished?.purpose, errorOf(finished)]).to.deep.equal(['login', code]);
    }
  });

  it('keeps five trips side by side, each with a secret of its own', async () => {
    const { accounts } = open();
    const addresses: string[] = [];
    for (let count = 0; count < 6; count += 1)
      addresses.push(await accounts.signIn.begin('example', { redirectUri }));
    const challenges = addresses.map((one) => new URL(one).searchParams.get('challenge'));
    expect(new Set(challenges).size).to.equal(6);
    const codes: (string | undefined)[] = [];
    for (const address of addresses) codes.push(errorOf(await accounts.signIn.finish(await follow(address))));
    expect(codes).to.deep.equal(['state_unknown', ...Array.from({ length: 5 }, () => undefined)]);
  });

  it('keeps them where it is told to', async () => {
    const storage = makeStorage();
    const address = await open().accounts.signIn.begin('example', { redirectUri, storage });
    expect([...storage.items.keys()]).to.deep.equal(['gatehouse-sign-in']);
    const finished = await open().accounts.signIn.finish(await follow(address), { storage });
    expect(finished?.data).to.include.keys('token');
    expect([...storage.items]).to.deep.equal([]);
    storage.setItem('gatehouse-sign-in', '{"no":"list"}');
    expect(errorOf(await open().accounts.signIn.finish(await follow(address), { storage }))).to.equal(
      'state_unknown',
    );
  });

  it('links an identity and proves by it', async () => {
    const opened = open();
    const { accounts } = opened;
    await logIn(opened);
    const said = somebody();
    const link = await accounts.signIn.link('example', { redirectUri });
    const linked = await accounts.signIn.finish(await follow(link.data?.url ?? '', said));
    expect([linked?.purpose, Object.keys(linked?.data ?? {})]).to.deep.equal(['link', ['oauthAccounts']]);

    service().clock.advance(601_000);
    const stale = await accounts.signIn.link('example', { redirectUri });
    expect(stale.error?.code).to.equal('fresh_authentication_needed');
    const proof = await accounts.signIn.reauthenticate('example', { redirectUri });
    const proved = await accounts.signIn.finish(await follow(proof.data?.url ?? '', said));
    expect([proved?.purpose, proved?.error]).to.deep.equal(['reauthenticate', undefined]);
    expect((await accounts.signIn.link('example', { redirectUri })).error).to.equal(undefined);
  });

  it('proves by a provider and the code of an authenticator app, asked for until it is right', async () => {
    const opened = open();
    const { accounts } = opened;
    const said = somebody();
    await logIn(opened, said);
    const begun = await accounts.POST('/api/auth/2fa', { body: { enable: true } });
    const secret = begun.data !== undefined && 'secret' in begun.data ? String(begun.data.secret) : '';
    const codeNow = () => codeAt(secret, service().clock.now());
    const body = { enable: true, secret, verificationCode: codeNow() };
    expect((await accounts.POST('/api/auth/2fa', { body })).error).to.equal(undefined);
    service().clock.advance(601_000);

    const proveWith = async (askCode?: (wasWrong: boolean) => Promise<string | undefined>) => {
      const { data } = await accounts.signIn.reauthenticate('example', { redirectUri });
      return accounts.signIn.finish(await follow(data?.url ?? '', said), { ...(askCode && { askCode }) });
    };
    expect(errorOf(await proveWith())).to.equal('code_required');
    expect(errorOf(await proveWith(async () => undefined))).to.equal('code_required');
    const asked: boolean[] = [];
    const proved = await proveWith(async (wasWrong) => {
      asked.push(wasWrong);
      return wasWrong ? codeNow() : asked.length === 1 ? '' : '000000';
    });
    expect([proved?.purpose, proved?.error]).to.deep.equal(['reauthenticate', undefined]);
    // An empty code is none.
    expect(asked).to.deep.equal([false, false, true]);
    expect((await accounts.signIn.link('example', { redirectUri })).error).to.equal(undefined);
  });

  it('refuses wrong arguments, and a provider that there is not', async () => {
    const { signIn } = open().accounts;
    const wrong: unknown = {};
    expect(await rejectionOf(() => signIn.begin('example', wrong as { redirectUri: string }))).to.include({
      code: 'invalid_request',
    });
    expect(await rejectionOf(() => signIn.begin('nobody', { redirectUri }))).to.have.property(
      'message',
      'There is no sign-in provider nobody.',
    );
  });
});
