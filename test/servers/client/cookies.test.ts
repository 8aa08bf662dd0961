import { expect } from 'chai';
import { createAccountsClient, type ProofNeeded } from '../../../servers/client/index.ts';
import { makeGate } from '../../support/gate.ts';
import { useService } from '../../support/service.ts';

const MINUTE = 60_000;

describe('The client with a session in a cookie', () => {
  const service = useService({ COOKIE_SESSIONS: 'on' });

  /** A client with a signed-in user, in a browser that stores one cookie. */
  const open = async (options: { readonly password?: string } = {}) => {
    const user = await service().signUp();
    const sent: Request[] = [];
    const logouts: string[] = [];
    const proofRequests: ProofNeeded[] = [];
    let cookie = '';
    /** Delays the answer to the next request. */
    let nextDelay: Promise<void> | undefined;
    const browser = async (request: Request): Promise<Response> => {
      sent.push(request.clone());
      if (cookie !== '') request.headers.set('Cookie', cookie);
      request.headers.set('Sec-Fetch-Site', 'same-origin');
      const delay = nextDelay;
      nextDelay = undefined;
      const answer = await fetch(request);
      await delay;
      cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
      return answer;
    };
    const client = createAccountsClient({
      baseUrl: service().url,
      session: 'cookie',
      fetch: browser,
      onLoggedOut: () => logouts.push('logged out'),
      onProofNeeded: async (needed) => {
        proofRequests.push(needed);
        const { password = user.password } = options;
        return (await client.POST('/api/auth/reauthenticate', { body: { password } })).response.ok;
      },
    });
    const { email, password } = user;
    const login = await client.POST('/api/auth/login', { body: { email, password } });
    return {
      client,
      user,
      login,
      sent,
      logouts,
      proofRequests,
      cookie: () => cookie,
      delayNext: () => {
        const gate = makeGate();
        nextDelay = gate.isOpen;
        return gate.open;
      },
      setCookie: (value: string) => {
        cookie = value;
      },
    };
  };
  const statusOf = async (call: Promise<{ readonly response: Response }>) => (await call).response.status;

  it('requests a cookie session, and neither receives nor sends tokens', async () => {
    const { client, login, sent, user } = await open();
    expect(login.data).not.to.have.any.keys('token', 'refreshToken');
    expect((await client.GET('/api/auth/me')).data?.user.email).to.equal(user.email);
    for (const request of sent) {
      expect(request.headers.get('X-Session')).to.equal('cookie');
      expect([request.credentials, request.headers.get('Authorization')]).to.deep.equal([
        'same-origin',
        null,
      ]);
    }
    const { data } = await client.POST('/api/auth/session/token');
    expect(data?.token).to.be.a('string');
  });

  it('calls `onLoggedOut` once per ended session', async () => {
    const { client, logouts, setCookie, user, cookie } = await open();
    const old = cookie();
    await client.POST('/api/auth/logout');
    expect(logouts).to.deep.equal([]);
    setCookie(old);
    const calls = Array.from({ length: 10 }, () => statusOf(client.GET('/api/auth/me')));
    expect(new Set(await Promise.all(calls))).to.deep.equal(new Set([401]));
    expect(logouts).to.have.length(1);
    const { email, password } = user;
    await client.POST('/api/auth/login', { body: { email, password } });
    setCookie('');
    await client.GET('/api/auth/me');
    expect(logouts).to.have.length(2);
  });

  it('calls `onLoggedOut` once for concurrent refusals', async () => {
    const logouts: string[] = [];
    const gate = makeGate();
    const client = createAccountsClient({
      baseUrl: service().url,
      session: 'cookie',
      fetch: async () => {
        await gate.isOpen;
        return Response.json({ code: 'invalid_token', message: 'Over.' }, { status: 401 });
      },
      onLoggedOut: () => logouts.push('logged out'),
    });
    const calls = [1, 2, 3].map(() => statusOf(client.GET('/api/auth/me')));
    gate.open();
    expect(await Promise.all(calls)).to.deep.equal([401, 401, 401]);
    expect(logouts).to.have.length(1);
  });

  it('calls `onLoggedOut` if passkeys became the second factor during the refused call', async () => {
    const logouts: string[] = [];
    const gate = makeGate();
    const client = createAccountsClient({
      baseUrl: service().url,
      session: 'cookie',
      fetch: async ({ url }) => {
        if (url.endsWith('/2fa/passkey')) return Response.json({ twoFactorEnabled: true });
        await gate.isOpen;
        return Response.json({ code: 'invalid_token', message: 'Over.' }, { status: 401 });
      },
      onLoggedOut: () => logouts.push('logged out'),
    });
    const late = client.GET('/api/auth/me');
    expect(await statusOf(client.POST('/api/auth/2fa/passkey', { body: { enable: true } }))).to.equal(200);
    gate.open();
    expect(await statusOf(late)).to.equal(401);
    expect(logouts).to.have.length(1);
  });

  for (const [step, challenge] of [
    ['second factor', { requires2FA: true, user: {}, pendingToken: 'x' }],
    ['email', { requiresEmail: true, signUpToken: 'x' }],
  ] as const) {
    it(`calls onLoggedOut once if a sign-in that still needs the ${step} began during the refused calls`, async () => {
      const logouts: string[] = [];
      const gate = makeGate();
      const client = createAccountsClient({
        baseUrl: service().url,
        session: 'cookie',
        fetch: async ({ url }) => {
          if (url.endsWith('/exchange')) return Response.json(challenge);
          await gate.isOpen;
          return Response.json({ code: 'invalid_token', message: 'Over.' }, { status: 401 });
        },
        onLoggedOut: () => logouts.push('logged out'),
      });
      const exchange = () =>
        statusOf(
          client.POST('/api/auth/providers/exchange', { body: { code: 'x', verifier: 'x'.repeat(43) } }),
        );
      const late = [1, 2].map(() => statusOf(client.GET('/api/auth/me')));
      expect(await exchange()).to.equal(200);
      gate.open();
      expect(await Promise.all(late)).to.deep.equal([401, 401]);
      expect(logouts).to.have.length(1);
      expect(await exchange()).to.equal(200);
      expect(await statusOf(client.GET('/api/auth/me'))).to.equal(401);
      expect(logouts).to.have.length(1);
    });
  }

  it('does not call `onLoggedOut` if a call that was sent before a sign-in is refused after it', async () => {
    const { client, logouts, delayNext, setCookie, user } = await open();
    setCookie('');
    const release = delayNext();
    const late = client.GET('/api/auth/me');
    const { email, password } = user;
    await client.POST('/api/auth/login', { body: { email, password } });
    release();
    expect(await statusOf(late)).to.equal(401);
    expect(logouts).to.deep.equal([]);
    setCookie('');
    expect(await statusOf(client.GET('/api/auth/me'))).to.equal(401);
    expect(logouts).to.have.length(1);
  });

  it('does not call `onLoggedOut` if a password is wrong', async () => {
    const { client, logouts } = await open();
    const body = { currentPassword: 'not this one', newPassword: 'another horse battery' };
    expect(await statusOf(client.POST('/api/auth/password', { body }))).to.equal(401);
    expect(logouts).to.deep.equal([]);
  });

  it('calls `onProofNeeded` if a call needs a fresh proof, and repeats the call at most once', async () => {
    const { proofRequests, client } = await open();
    service().clock.advance(11 * MINUTE);
    expect(await statusOf(client.DELETE('/api/auth/sessions'))).to.equal(200);
    expect(proofRequests).to.deep.equal([{ maxAge: 600, methods: ['password'] }]);

    const refused = await open({ password: 'a wrong password' });
    service().clock.advance(11 * MINUTE);
    expect(await statusOf(refused.client.DELETE('/api/auth/sessions'))).to.equal(403);
    expect(refused.proofRequests).to.have.length(1);
  });

  it('repeats a call with the new cookie if a password change overtakes it', async () => {
    const { client, cookie, logouts, setCookie, sent, user } = await open();
    const old = cookie();
    const body = { currentPassword: user.password, newPassword: 'another horse battery' };
    expect(await statusOf(client.POST('/api/auth/password', { body }))).to.equal(200);
    const fresh = cookie();
    setCookie(old);
    const before = sent.length;
    const overtaken = client.PATCH('/api/auth/me', { body: { displayName: 'Ada' } });
    while (sent.length === before) await Promise.resolve();
    setCookie(fresh);
    expect(await statusOf(overtaken)).to.equal(200);
    expect([sent.length - before, logouts]).to.deep.equal([2, []]);
  });
});
