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
import { picture } from '../accounts/profile/avatars.ts';

const ACCESS_TOKEN_LIFE = 900_000;

describe('A client of the account service', () => {
  const service = useService();

  /** A client with a user logged in, and what it sent. */
  const open = async (
    around: (request: Request, next: Fetch) => Promise<Response> = (one, next) => next(one),
    write: (baseUrl: string) => string = (baseUrl) => `${baseUrl}/`,
  ) => {
    const sent: string[] = [];
    const ended: string[] = [];
    const user = await service().signUp();
    const tokens = memoryTokens();
    const given = {
      baseUrl: write(service().url),
      tokens,
      onLoggedOut: () => ended.push('logged out'),
      fetch: (request: Request) => {
        sent.push(new URL(request.url).pathname);
        return around(request, fetch);
      },
    };
    const client = createAccountsClient(given);
    const { email, password } = user;
    await client.POST('/api/auth/login', { body: { email, password } });
    const refreshes = () => sent.filter((path) => path === '/api/auth/refresh').length;
    return { client, user, tokens, sent, ended, refreshes, again: () => createAccountsClient(given) };
  };
  type Opened = Awaited<ReturnType<typeof open>>;

  const expire = () => service().clock.advance(ACCESS_TOKEN_LIFE + 1_000);
  const fiftyCalls = async ({ client }: Opened) => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => client.GET('/api/auth/me')));
    return new Set(answers.map(({ response }) => response.status));
  };

  it('logs in, and sends the token with what follows', async () => {
    const { client, user } = await open();
    const { data } = await client.GET('/api/auth/me');
    expect(data?.user.email).to.equal(user.email);
    const changed = await client.PATCH('/api/auth/me', { body: { displayName: 'Ada' } });
    expect(changed.data?.user.displayName).to.equal('Ada');
    // @ts-expect-error: no mail is written in this language.
    const refused = await client.PATCH('/api/auth/me', { body: { language: 'de' } });
    expect(refused.error?.code).to.equal('invalid_request');
  });

  it('keeps the session of a service whose address is written in another way', async () => {
    const { client, tokens } = await open(undefined, (baseUrl) => baseUrl.replace('127.0.0.1', '127.1'));
    expect(await tokens.get()).not.to.equal(null);
    await client.POST('/api/auth/logout');
    expect(await tokens.get()).to.equal(null);
  });

  it('refreshes once when 50 calls at once find the token expired', async () => {
    const opened = await open();
    for (const round of [1, 2, 3]) {
      expire();
      expect([...(await fiftyCalls(opened))]).to.deep.equal([200]);
      expect(opened.refreshes(), `round ${round}`).to.equal(round);
    }
    expect(opened.ended).to.deep.equal([]);
  });

  it('sends a body again after a refresh', async () => {
    const { client } = await open();
    expire();
    const { data } = await client.PATCH('/api/auth/me', { body: { displayName: 'Ada Lovelace' } });
    expect(data?.user.displayName).to.equal('Ada Lovelace');
  });

  it('is logged out once when the session is over', async () => {
    const opened = await open();
    const { token } = (await opened.tokens.get()) ?? {};
    await service().request('POST', '/api/auth/logout', { token: token ?? '' });
    expect([...(await fiftyCalls(opened))]).to.deep.equal([401]);
    expect(opened.refreshes()).to.equal(1);
    expect(opened.ended).to.have.length(1);
    expect(await opened.tokens.get()).to.equal(null);
    const { response } = await opened.client.GET('/api/auth/me');
    expect(response.status).to.equal(401);
    expect(opened.refreshes()).to.equal(1);
  });

  it('does not take a wrong password for an expired token', async () => {
    const opened = await open();
    const { error, response } = await opened.client.POST('/api/auth/password', {
      body: { currentPassword: 'not this one', newPassword: 'another horse battery' },
    });
    expect([response.status, error?.code]).to.deep.equal([401, 'wrong_credentials']);
    expect(opened.refreshes()).to.equal(0);
  });

  it('goes on with the tokens of a password change', async () => {
    const { client, user, refreshes } = await open();
    const { data } = await client.POST('/api/auth/password', {
      body: { currentPassword: user.password, newPassword: 'another horse battery' },
    });
    expect(data?.success).to.equal(true);
    expect((await client.GET('/api/auth/me')).response.status).to.equal(200);
    expect(refreshes()).to.equal(0);
  });

  it('has the user prove who they are where a call needs it, and sends the call again', async () => {
    const { client: plain, user, tokens } = await open();
    const asked: ProofNeeded[] = [];
    let password = 'a wrong password';
    const client = createAccountsClient({
      baseUrl: service().url,
      tokens,
      onProofNeeded: async (needed) => {
        asked.push(needed);
        return (await client.POST('/api/auth/reauthenticate', { body: { password } })).response.ok;
      },
    });
    service().clock.advance(11 * 60_000);

    const begin = { body: { enable: true } };
    expect((await plain.POST('/api/auth/2fa', begin)).error?.code).to.equal('fresh_authentication_needed');
    expect((await client.POST('/api/auth/2fa', begin)).error?.code).to.equal('fresh_authentication_needed');
    expect(asked).to.deep.equal([{ maxAge: 600, methods: ['password'] }]);
    password = user.password;
    expect((await client.POST('/api/auth/2fa', begin)).response.status).to.equal(200);
    expect(asked).to.have.length(2);
  });

  it('gives an error for a refusal without a body, such as that of a proxy', async () => {
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
      expect([data, error]).to.deep.equal([undefined, 'The answer is 502 without a body.']);
      const returnTo = 'https://app.example.com/back';
      const { searchParams } = new URL(await client.signInUrl({ returnTo }));
      const href = `${returnTo}?code=c&state=${searchParams.get('state')}`;
      expect(await client.completeSignIn({ href }))
        .to.have.property('error')
        .that.is.a('string');
      const beginning = client.signIn.begin('google', { redirectUri: returnTo });
      expect(await rejectionOf(() => beginning)).to.include({ message: 'The answer is 502 without a body.' });
      const files = createMetadataClient({ baseUrl, secret: 'secret', fetch });
      const list = await files.GET('/api/v1/meta', { params: { query: { userId: 'ada' } } });
      expect(list.error).to.equal('The answer is 502 without a body.');
    }
  });

  it('keeps the session when refreshing fails for a passing reason, and gives that answer', async () => {
    let failing: 'busy' | 'gone' | 'no' = 'no';
    const opened = await open((request, next) => {
      if (failing === 'no' || !request.url.endsWith('/refresh')) return next(request);
      if (failing === 'gone') return Promise.reject(new TypeError('fetch failed'));
      return Promise.resolve(Response.json({ code: 'busy', message: 'Busy.' }, { status: 503 }));
    });
    expire();
    failing = 'busy';
    expect([...(await fiftyCalls(opened))]).to.deep.equal([503]);
    expect(opened.refreshes()).to.equal(1);
    failing = 'gone';
    let thrown: unknown;
    await opened.client.GET('/api/auth/me').catch((error: unknown) => {
      thrown = error;
    });
    expect(thrown).to.be.instanceOf(TypeError);
    failing = 'no';
    expect([...(await fiftyCalls(opened))]).to.deep.equal([200]);
    expect(opened.ended).to.deep.equal([]);
  });

  it('ends a call that is aborted while it waits for a refresh, and lets the others go on', async () => {
    const steps = new EventEmitter();
    const opened = await open(async (request, next) => {
      if (!request.url.endsWith('/refresh')) return next(request);
      const free = once(steps, 'free');
      steps.emit('asked');
      await free;
      return next(request);
    });
    expire();
    const given = new AbortController();
    const asked = once(steps, 'asked');
    const aborted = opened.client
      .GET('/api/auth/me', { signal: given.signal })
      .catch((error: unknown) => error);
    await asked;
    const other = opened.client.GET('/api/auth/me');
    given.abort(new Error('Nobody looks at it any more.'));
    expect(await aborted).to.equal(given.signal.reason);
    steps.emit('free');
    expect((await other).response.status).to.equal(200);
    expect(opened.refreshes()).to.equal(1);
  });

  it('brings no session back that was logged out during a refresh', async () => {
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
    expect(opened.ended).to.deep.equal([]);
  });

  it('goes on with what another client of the same store has renewed', async () => {
    const opened = await open();
    const other = opened.again();
    expire();
    const answers = await Promise.all([
      opened.client.GET('/api/auth/me'),
      other.GET('/api/auth/me'),
      other.GET('/api/auth/me'),
    ]);
    expect(answers.map(({ response }) => response.status)).to.deep.equal([200, 200, 200]);
    expect(opened.refreshes()).to.equal(1);
    expect(opened.ended).to.deep.equal([]);
  });

  it('uploads and shows a picture, and gives the address of the checkout', async () => {
    const { client } = await open();
    const avatar = new Blob([Uint8Array.from(picture)]);
    const { data } = await client.POST('/api/avatar', { body: { avatar } });
    expect(data?.avatar).to.match(/\.png$/);
    const shown = await client.GET('/api/avatar', { parseAs: 'blob' });
    expect(shown.data?.type).to.equal('image/png');
    const checkout = await client.GET('/api/billing/checkout', {
      params: { query: { plan: 'pro', billingCycle: 'monthly' } },
    });
    expect(checkout.data?.url).to.match(/^http.+\/sandbox\/billing\/checkout\//);
  });

  it('forgets the tokens at logout', async () => {
    const { client, tokens, ended } = await open();
    const { data } = await client.POST('/api/auth/logout');
    expect(data?.success).to.equal(true);
    expect(await tokens.get()).to.equal(null);
    expect(ended).to.deep.equal([]);
  });
});
