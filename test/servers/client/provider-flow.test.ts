import { expect } from 'chai';
import { createAccountsClient, type FinishedSignIn } from '../../../servers/client/index.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { providerIdentity } from '../../support/scripted-providers.ts';
import { locationOf, REDIRECT, useFlows } from '../accounts/providers/flows.ts';
import { codeAt } from '../accounts/second-factor/factor.ts';
import { makeStorage } from './storage.ts';

const redirectUri = REDIRECT;

describe('The client’s sign-in with providers', () => {
  const flows = useFlows();
  const { service, jar, base } = flows;
  let identities = 0;
  const newIdentity = () => {
    identities += 1;
    return providerIdentity({ subject: `c${identities}`, email: `c${identities}@example.com` });
  };
  const open = () => {
    const sent: string[] = [];
    const recordingFetch = (request: Request) => {
      sent.push(new URL(request.url).pathname);
      return fetch(request);
    };
    return { accounts: createAccountsClient({ baseUrl: service().url, fetch: recordingFetch }), sent };
  };
  type Opened = ReturnType<typeof open>;

  /** Opens the address in a new browser. Returns the address to which the callback redirects. */
  const follow = async (address: string, identity = newIdentity()): Promise<URL> => {
    const browser = jar();
    const answer = await flows.beginFlow(identity, browser, new URL(address).search.slice(1));
    return locationOf(await browser.go(`${base}/callback?${answer}`));
  };
  const logIn = async ({ accounts }: Opened, identity = newIdentity()) => {
    const address = await accounts.signIn.begin('example', { redirectUri });
    return accounts.signIn.finish(await follow(address, identity));
  };
  const errorOf = (finished: FinishedSignIn | undefined) => finished?.error?.code;

  it('signs in and stores the tokens', async () => {
    const opened = open();
    const finished = await logIn(opened);
    expect(finished?.purpose).to.equal('login');
    expect(finished?.data).to.include.keys('user', 'token');
    const { data } = await opened.accounts.GET('/api/auth/me');
    expect(data?.user.email).to.equal(`c${identities}@example.com`);
  });

  it('returns the missing email as a step, and `account_exists` as an error', async () => {
    const step = await logIn(
      open(),
      providerIdentity({ subject: 'none', email: null, emailVerified: false }),
    );
    expect(step?.data).to.include.keys('requiresEmail', 'signUpToken');
    const { email } = await service().signUp();
    const refused = await logIn(open(), providerIdentity({ subject: 'other', email }));
    expect(refused?.error).to.include({ code: 'account_exists', email }).and.include.keys('linkToken');
  });

  it('refuses the callback of a flow that another client began, without a request', async () => {
    const [owner, other] = [open(), open()];
    const callback = await follow(await owner.accounts.signIn.begin('example', { redirectUri }));
    expect(await other.accounts.signIn.finish(callback)).to.deep.include({ purpose: null });
    expect(other.sent).to.deep.equal([]);
    expect((await owner.accounts.signIn.finish(callback))?.purpose).to.equal('login');
    expect(errorOf(await owner.accounts.signIn.finish(callback))).to.equal('state_unknown');
  });

  it('ignores an address without a callback, and returns the error of a refused flow', async () => {
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

  it('keeps the last five flows, each with its own PKCE challenge', async () => {
    const { accounts } = open();
    const addresses: string[] = [];
    for (let count = 0; count < 6; count += 1)
      addresses.push(await accounts.signIn.begin('example', { redirectUri }));
    const challenges = addresses.map((address) => new URL(address).searchParams.get('challenge'));
    expect(new Set(challenges).size).to.equal(6);
    const codes: (string | undefined)[] = [];
    for (const address of addresses) codes.push(errorOf(await accounts.signIn.finish(await follow(address))));
    expect(codes).to.deep.equal(['state_unknown', ...Array.from({ length: 5 }, () => undefined)]);
  });

  it('keeps flows in the given storage, and treats malformed entries as absent', async () => {
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

  it('links an identity and uses it as a fresh proof', async () => {
    const opened = open();
    const { accounts } = opened;
    await logIn(opened);
    const identity = newIdentity();
    const link = await accounts.signIn.link('example', { redirectUri });
    const linked = await accounts.signIn.finish(await follow(link.data?.url ?? '', identity));
    expect([linked?.purpose, Object.keys(linked?.data ?? {})]).to.deep.equal(['link', ['oauthAccounts']]);

    service().clock.advance(601_000);
    const stale = await accounts.signIn.link('example', { redirectUri });
    expect(stale.error?.code).to.equal('fresh_authentication_needed');
    const proof = await accounts.signIn.reauthenticate('example', { redirectUri });
    const proved = await accounts.signIn.finish(await follow(proof.data?.url ?? '', identity));
    expect([proved?.purpose, proved?.error]).to.deep.equal(['reauthenticate', undefined]);
    expect((await accounts.signIn.link('example', { redirectUri })).error).to.equal(undefined);
  });

  it('asks for the second factor’s code until it is correct, if a proof by a provider needs one', async () => {
    const opened = open();
    const { accounts } = opened;
    const identity = newIdentity();
    await logIn(opened, identity);
    const setUp = await accounts.POST('/api/auth/2fa', { body: { enable: true } });
    const secret = setUp.data !== undefined && 'secret' in setUp.data ? String(setUp.data.secret) : '';
    const codeNow = () => codeAt(secret, service().clock.now());
    const body = { enable: true, secret, verificationCode: codeNow() };
    expect((await accounts.POST('/api/auth/2fa', { body })).error).to.equal(undefined);
    service().clock.advance(601_000);

    const proveWith = async (askCode?: (wasWrong: boolean) => Promise<string | undefined>) => {
      const { data } = await accounts.signIn.reauthenticate('example', { redirectUri });
      return accounts.signIn.finish(await follow(data?.url ?? '', identity), { ...(askCode && { askCode }) });
    };
    expect(errorOf(await proveWith())).to.equal('code_required');
    expect(errorOf(await proveWith(async () => undefined))).to.equal('code_required');
    const prompts: boolean[] = [];
    const proved = await proveWith(async (wasWrong) => {
      prompts.push(wasWrong);
      return wasWrong ? codeNow() : prompts.length === 1 ? '' : '000000';
    });
    expect([proved?.purpose, proved?.error]).to.deep.equal(['reauthenticate', undefined]);
    // An empty code is not sent, so the second prompt does not follow a wrong code.
    expect(prompts).to.deep.equal([false, false, true]);
    expect((await accounts.signIn.link('example', { redirectUri })).error).to.equal(undefined);
  });

  it('rejects wrong arguments and an unknown provider', async () => {
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
