import { EventEmitter, once } from 'node:events';
import { expect } from 'chai';
import {
  createAccountsClient,
  createMetadataClient,
  type Fetch,
  memoryTokens,
  type ProofNeeded,
} from '../../../servers/client/index.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { useService } from '../../support/service.ts';
import { smallestPng } from '../accounts/profile/avatars.ts';

const ACCESS_TOKEN_LIFETIME_MS = 900_000;

describe('The client of the account service', () => {
  const service = useService();

  /** A client with a signed-in user, and the paths of its requests. */
  const open = async (
    intercept: (request: Request, next: Fetch) => Promise<Response> = (request, next) => next(request),
    rewriteUrl: (baseUrl: string) => string = (baseUrl) => `${baseUrl}/`,
  ) => {
    const sent: string[] = [];
    const logouts: string[] = [];
    const user = await service().signUp();
    const tokens = memoryTokens();
    const options = {
      baseUrl: rewriteUrl(service().url),
      tokens,
      onLoggedOut: () => logouts.push('logged out'),
      fetch: (request: Request) => {
        sent.push(new URL(request.url).pathname);
        return intercept(request, fetch);
      },
    };
    const client = createAccountsClient(options);
    const { email, password } = user;
    await client.POST('/api/auth/login', { body: { email, password } });
    const refreshes = () => sent.filter((path) => path === '/api/auth/refresh').length;
    return { client, user, tokens, sent, logouts, refreshes, reopen: () => createAccountsClient(options) };
  };
  type Opened = Awaited<ReturnType<typeof open>>;

  const expire = () => service().clock.advance(ACCESS_TOKEN_LIFETIME_MS + 1_000);
  const fiftyCalls = async ({ client }: Opened) => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => client.GET('/api/auth/me')));
    return new Set(answers.map(({ response }) => response.status));
  };

  it('signs in and sends the token with later calls', async () => {
    const { client, user } = await open();
    const { data } = await client.GET('/api/auth/me');
    expect(data?.user.email).to.equal(user.email);
    const changed = await client.PATCH('/api/auth/me', { body: { displayName: 'Ada' } });
    expect(changed.data?.user.displayName).to.equal('Ada');
    // @ts-expect-error: the types know the languages that have mails.
    const refused = await client.PATCH('/api/auth/me', { body: { language: 'de' } });
    expect(refused.error?.code).to.equal('invalid_request');
  });

  it('stores and deletes tokens if its `baseUrl` spells the address of the service differently', async () => {
    const { client, tokens } = await open(undefined, (baseUrl) => baseUrl.replace('127.0.0.1', '127.1'));
    expect(await tokens.get()).not.to.equal(null);
    await client.POST('/api/auth/logout');
    expect(await tokens.get()).to.equal(null);
  });

  it('refreshes once for 50 concurrent calls with an expired token', async () => {
    const opened = await open();
    for (const round of [1, 2, 3]) {
      expire();
      expect([...(await fiftyCalls(opened))]).to.deep.equal([200]);
      expect(opened.refreshes(), `round ${round}`).to.equal(round);
    }
    expect(opened.logouts).to.deep.equal([]);
  });

  it('sends the body of a call again after a refresh', async () => {
    const { client } = await open();
    expire();
    const { data } = await client.PATCH('/api/auth/me', { body: { displayName: 'Ada Lovelace' } });
    expect(data?.user.displayName).to.equal('Ada Lovelace');
  });

  it('deletes the tokens and calls `onLoggedOut` once if the session has ended', async () => {
    const opened = await open();
    const { token } = (await opened.tokens.get()) ?? {};
    await service().request('POST', '/api/auth/logout', { token: token ?? '' });
    expect([...(await fiftyCalls(opened))]).to.deep.equal([401]);
    expect(opened.refreshes()).to.equal(1);
    expect(opened.logouts).to.have.length(1);
    expect(await opened.tokens.get()).to.equal(null);
    const { response } = await opened.client.GET('/api/auth/me');
    expect(response.status).to.equal(401);
    expect(opened.refreshes()).to.equal(1);
  });

  it('does not refresh if a call is refused because of a wrong password', async () => {
    const opened = await open();
    const { error, response } = await opened.client.POST('/api/auth/password', {
      body: { currentPassword: 'not this one', newPassword: 'another horse battery' },
    });
    expect([response.status, error?.code]).to.deep.equal([401, 'wrong_credentials']);
    expect(opened.refreshes()).to.equal(0);
  });

  it('uses the new tokens after a password change', async () => {
    const { client, user, refreshes } = await open();
    const { data } = await client.POST('/api/auth/password', {
      body: { currentPassword: user.password, newPassword: 'another horse battery' },
    });
    expect(data?.success).to.equal(true);
    expect((await client.GET('/api/auth/me')).response.status).to.equal(200);
    expect(refreshes()).to.equal(0);
  });

  it('calls `onProofNeeded` if a call needs a fresh proof, and repeats the call after the proof', async () => {
    const { client: plain, user, tokens } = await open();
    const proofRequests: ProofNeeded[] = [];
    let password = 'a wrong password';
    const client = createAccountsClient({
      baseUrl: service().url,
      tokens,
      onProofNeeded: async (needed) => {
        proofRequests.push(needed);
        return (await client.POST('/api/auth/reauthenticate', { body: { password } })).response.ok;
      },
    });
    service().clock.advance(11 * 60_000);

    const begin = { body: { enable: true } };
    expect((await plain.POST('/api/auth/2fa', begin)).error?.code).to.equal('fresh_authentication_needed');
    expect((await client.POST('/api/auth/2fa', begin)).error?.code).to.equal('fresh_authentication_needed');
    expect(proofRequests).to.deep.equal([{ maxAge: 600, methods: ['password'] }]);
    password = user.password;
    expect((await client.POST('/api/auth/2fa', begin)).response.status).to.equal(200);
    expect(proofRequests).to.have.length(2);
  });

  it('returns an error for a refusal without a body, as proxies send it', async () => {
    const baseUrl = 'http://127.0.0.1:1';
    const refusals: readonly [string | null, Record<string, string>][] = [
      ['', {}],
      ['null', {}],
      [null, { 'Content-Length': '0' }],
    ];
    for (const [body, headers] of refusals) {
      const fetch = async () => new Response(body, { status: 502, headers });
      const client = createAccountsClient({ baseUrl, fetch });
      const { data, error } = await client.GET('/api/auth/me');
      expect([data, error]).to.deep.equal([undefined, 'The answer has the status 502 and no body.']);
      const returnTo = 'https://app.example.com/back';
      const { searchParams } = new URL(await client.signInUrl({ returnTo }));
      const href = `${returnTo}?code=c&state=${searchParams.get('state')}`;
      expect(await client.completeSignIn({ href }))
        .to.have.property('error')
        .that.is.a('string');
      const begin = client.signIn.begin('google', { redirectUri: returnTo });
      expect(await rejectionOf(() => begin)).to.include({
        message: 'The answer has the status 502 and no body.',
      });
      const files = createMetadataClient({ baseUrl, secret: 'secret', fetch });
      const list = await files.GET('/api/v1/meta', { params: { query: { userId: 'ada' } } });
      expect(list.error).to.equal('The answer has the status 502 and no body.');
    }
  });

  it('keeps the session and returns the failure if a refresh fails temporarily', async () => {
    let failure: 'busy' | 'unreachable' | 'none' = 'none';
    const opened = await open((request, next) => {
      if (failure === 'none' || !request.url.endsWith('/refresh')) return next(request);
      if (failure === 'unreachable') return Promise.reject(new TypeError('fetch failed'));
      return Promise.resolve(Response.json({ code: 'busy', message: 'Busy.' }, { status: 503 }));
    });
    expire();
    failure = 'busy';
    expect([...(await fiftyCalls(opened))]).to.deep.equal([503]);
    expect(opened.refreshes()).to.equal(1);
    failure = 'unreachable';
    let thrown: unknown;
    await opened.client.GET('/api/auth/me').catch((error: unknown) => {
      thrown = error;
    });
    expect(thrown).to.be.instanceOf(TypeError);
    failure = 'none';
    expect([...(await fiftyCalls(opened))]).to.deep.equal([200]);
    expect(opened.logouts).to.deep.equal([]);
  });

  it('returns the failure of a refresh if the responses of its `fetch` are of another class', async () => {
    const ofAnotherClass = (response: Response): Response => {
      const { ok, status, headers, body } = response;
      const clone = () => ofAnotherClass(response.clone());
      const members = { ok, status, headers, body, clone, json: () => response.json() };
      return { ...members, text: () => response.text() } as Response;
    };
    const opened = await open(async (request, next) =>
      ofAnotherClass(
        request.url.endsWith('/refresh')
          ? Response.json({ code: 'busy', message: 'Busy.' }, { status: 503 })
          : await next(request),
      ),
    );
    expire();
    const { response } = await opened.client.GET('/api/auth/me');
    expect(response.status).to.equal(503);
    expect(opened.sent.slice(-2)).to.deep.equal(['/api/auth/me', '/api/auth/refresh']);
  });

  it('rejects a call that is aborted during a refresh, and completes the other calls', async () => {
    const steps = new EventEmitter();
    const opened = await open(async (request, next) => {
      if (!request.url.endsWith('/refresh')) return next(request);
      const released = once(steps, 'release');
      steps.emit('refresh');
      await released;
      return next(request);
    });
    expire();
    const controller = new AbortController();
    const refreshing = once(steps, 'refresh');
    const aborted = opened.client
      .GET('/api/auth/me', { signal: controller.signal })
      .catch((error: unknown) => error);
    await refreshing;
    const other = opened.client.GET('/api/auth/me');
    controller.abort(new Error('The page was closed.'));
    expect(await aborted).to.equal(controller.signal.reason);
    steps.emit('release');
    expect((await other).response.status).to.equal(200);
    expect(opened.refreshes()).to.equal(1);
  });

  it('does not restore tokens that were deleted during a refresh', async () => {
    let opened: Opened | undefined;
    opened = await open(async (request, next) => {
      const answer = await next(request);
      if (request.url.endsWith('/refresh')) await opened?.tokens.set(null);
      return answer;
    });
    expire();
    const { response } = await opened.client.GET('/api/auth/me');
    expect(response.status).to.equal(401);
    expect(await opened.tokens.get()).to.equal(null);
    expect(opened.logouts).to.deep.equal([]);
  });

  it('uses the tokens that another client of the same token store has refreshed', async () => {
    const opened = await open();
    const other = opened.reopen();
    expire();
    const answers = await Promise.all([
      opened.client.GET('/api/auth/me'),
      other.GET('/api/auth/me'),
      other.GET('/api/auth/me'),
    ]);
    expect(answers.map(({ response }) => response.status)).to.deep.equal([200, 200, 200]);
    expect(opened.refreshes()).to.equal(1);
    expect(opened.logouts).to.deep.equal([]);
  });

  it('uploads and downloads an avatar, and returns the address of the checkout', async () => {
    const { client } = await open();
    const avatar = new Blob([Uint8Array.from(smallestPng)]);
    const { data } = await client.POST('/api/avatar', { body: { avatar } });
    expect(data?.avatar).to.match(/\.png$/);
    const shown = await client.GET('/api/avatar', { parseAs: 'blob' });
    expect(shown.data?.type).to.equal('image/png');
    const checkout = await client.GET('/api/billing/checkout', {
      params: { query: { plan: 'pro', billingCycle: 'monthly' } },
    });
    expect(checkout.data?.url).to.match(/^http.+\/sandbox\/billing\/checkout\//);
  });

  it('deletes the tokens at logout', async () => {
    const { client, tokens, logouts } = await open();
    const { data } = await client.POST('/api/auth/logout');
    expect(data?.success).to.equal(true);
    expect(await tokens.get()).to.equal(null);
    expect(logouts).to.deep.equal([]);
  });
});
