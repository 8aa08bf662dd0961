import { expect } from 'chai';
import { createAccountsClient, type ProofNeeded } from '../../../servers/client/index.ts';
import { makeGate } from '../../support/gate.ts';
import { useService } from '../../support/service.ts';

const MINUTE = 60_000;

describe('A client whose session is in a cookie', () => {
  const service = useService({ COOKIE_SESSIONS: 'on' });

  /** A client with a user logged in, in a browser that keeps one cookie. */
  const open = async (given: { readonly password?: string } = {}) => {
    const user = await service().signUp();
    const sent: Request[] = [];
    const ended: string[] = [];
    const asked: ProofNeeded[] = [];
    let cookie = '';
    /** Holds the answer to the next request back. */
    let isHeld: Promise<void> | undefined;
    const browser = async (request: Request): Promise<Response> => {
      sent.push(request.clone());
      if (cookie !== '') request.headers.set('Cookie', cookie);
      request.headers.set('Sec-Fetch-Site', 'same-origin');
      const isReleased = isHeld;
      isHeld = undefined;
      const answer = await fetch(request);
      await isReleased;
      cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
      return answer;
    };
    const client = createAccountsClient({
      baseUrl: service().url,
      session: 'cookie',
      fetch: browser,
      onLoggedOut: () => ended.push('logged out'),
      onProofNeeded: async (needed) => {
        asked.push(needed);
        const { password = user.password } = given;
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
      ended,
      asked,
      cookie: () => cookie,
      hold: () => {
        const released = makeGate();
        isHeld = released.isOpen;
        return released.open;
      },
      keep: (old: string) => {
        cookie = old;
      },
    };
  };
  const statusOf = async (call: Promise<{ readonly response: Response }>) => (await call).response.status;

  it('asks for the cookie, keeps no token, and is logged in', async () => {
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

  it('says once that the session is over, and again after the next one', async () => {
    const { client, ended, keep, user, cookie } = await open();
    const old = cookie();
    await client.POST('/api/auth/logout');
    expect(ended).to.deep.equal([]);
    keep(old);
    const calls = Array.from({ length: 10 }, () => statusOf(client.GET('/api/auth/me')));
    expect(new Set(await Promise.all(calls))).to.deep.equal(new Set([401]));
    expect(ended).to.have.length(1);
    const { email, password } = user;
    await client.POST('/api/auth/login', { body: { email, password } });
    keep('');
    await client.GET('/api/auth/me');
    expect(ended).to.have.length(2);
  });

  it('says once that the session is over when several refusals arrive at once', async () => {
    const ended: string[] = [];
    const free = makeGate();
    const client = createAccountsClient({
      baseUrl: service().url,
      session: 'cookie',
      fetch: async () => {
        await free.isOpen;
        return Response.json({ code: 'invalid_token', message: 'Over.' }, { status: 401 });
      },
      onLoggedOut: () => ended.push('logged out'),
    });
    const calls = [1, 2, 3].map(() => statusOf(client.GET('/api/auth/me')));
    free.open();
    expect(await Promise.all(calls)).to.deep.equal([401, 401, 401]);
    expect(ended).to.have.length(1);
  });

  it('says that the session is over though passkeys were made the second factor meanwhile', async () => {
    const ended: string[] = [];
    const free = makeGate();
    const client = createAccountsClient({
      baseUrl: service().url,
      session: 'cookie',
      fetch: async ({ url }) => {
        if (url.endsWith('/2fa/passkey')) return Response.json({ twoFactorEnabled: true });
        await free.isOpen;
        return Response.json({ code: 'invalid_token', message: 'Over.' }, { status: 401 });
      },
      onLoggedOut: () => ended.push('logged out'),
    });
    const late = client.GET('/api/auth/me');
    expect(await statusOf(client.POST('/api/auth/2fa/passkey', { body: { enable: true } }))).to.equal(200);
    free.open();
    expect(await statusOf(late)).to.equal(401);
    expect(ended).to.have.length(1);
  });

  for (const [what, challenge] of [
    ['second factor', { requires2FA: true, user: {}, pendingToken: 'x' }],
    ['email', { requiresEmail: true, signUpToken: 'x' }],
  ] as const) {
    it(`says that the session is over though a sign-in came meanwhile as far as asking for the ${what}`, async () => {
      const ended: string[] = [];
      const free = makeGate();
      const client = createAccountsClient({
        baseUrl: service().url,
        session: 'cookie',
        fetch: async ({ url }) => {
          if (url.endsWith('/exchange')) return Response.json(challenge);
          await free.isOpen;
          return Response.json({ code: 'invalid_token', message: 'Over.' }, { status: 401 });
        },
        onLoggedOut: () => ended.push('logged out'),
      });
      const exchange = () =>
        statusOf(
          client.POST('/api/auth/providers/exchange', { body: { code: 'x', verifier: 'x'.repeat(43) } }),
        );
      const late = [1, 2].map(() => statusOf(client.GET('/api/auth/me')));
      expect(await exchange()).to.equal(200);
      free.open();
      expect(await Promise.all(late)).to.deep.equal([401, 401]);
      expect(ended).to.have.length(1);
      expect(await exchange()).to.equal(200);
      expect(await statusOf(client.GET('/api/auth/me'))).to.equal(401);
      expect(ended).to.have.length(1);
    });
  }

  it('takes no refusal of what was sent before a sign-in for the end of the session since', async () => {
    const { client, ended, hold, keep, user } = await open();
    keep('');
    const release = hold();
    const late = client.GET('/api/auth/me');
    const { email, password } = user;
    await client.POST('/api/auth/login', { body: { email, password } });
    release();
    expect(await statusOf(late)).to.equal(401);
    expect(ended).to.deep.equal([]);
    keep('');
    expect(await statusOf(client.GET('/api/auth/me'))).to.equal(401);
    expect(ended).to.have.length(1);
  });

  it('does not take a wrong password for the end of the session', async () => {
    const { client, ended } = await open();
    const body = { currentPassword: 'not this one', newPassword: 'another horse battery' };
    expect(await statusOf(client.POST('/api/auth/password', { body }))).to.equal(401);
    expect(ended).to.deep.equal([]);
  });

  it('has the user prove who they are where a call needs it, and sends the call again once', async () => {
    const { asked, client } = await open();
    service().clock.advance(11 * MINUTE);
    expect(await statusOf(client.DELETE('/api/auth/sessions'))).to.equal(200);
    expect(asked).to.deep.equal([{ maxAge: 600, methods: ['password'] }]);

    const refused = await open({ password: 'a wrong password' });
    service().clock.advance(11 * MINUTE);
    expect(await statusOf(refused.client.DELETE('/api/auth/sessions'))).to.equal(403);
    expect(refused.asked).to.have.length(1);
  });

  it('sends a call again that a change of the password overtook, by the cookie that the browser has then', async () => {
    const { client, cookie, ended, keep, sent, user } = await open();
    const old = cookie();
    const body = { currentPassword: user.password, newPassword: 'another horse battery' };
    expect(await statusOf(client.POST('/api/auth/password', { body }))).to.equal(200);
    const fresh = cookie();
    keep(old);
    const before = sent.length;
    const overtaken = client.PATCH('/api/auth/me', { body: { displayName: 'Ada' } });
    while (sent.length === before) await Promise.resolve();
    keep(fresh);
    expect(await statusOf(overtaken)).to.equal(200);
    expect([sent.length - before, ended]).to.deep.equal([2, []]);
  });
});
