import { expect } from 'chai';
import { provider, providerIdentity } from '../../../support/scripted-providers.ts';
import { useService } from '../../../support/service.ts';
import { newPkcePair, REDIRECT, STATE, useFlows } from './flows.ts';

const MINUTE = 60_000;

describe('Sign-in with providers over HTTP', () => {
  const { service, base, exchange, runFlow, runFlowFor, signIn } = useFlows([provider()]);

  it('lists the providers with the addresses that begin their flows', async () => {
    const { status, body } = await service().request('GET', '/api/auth/providers');
    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      providers: [{ id: 'example', name: 'Example ID', beginUrl: `${service().url}${base}/begin` }],
      passkeys: false,
    });
  });

  it('signs up a new user, and signs in a known identity', async () => {
    const first = await signIn(providerIdentity({ subject: 'new', email: 'new@example.com' }));
    expect(first.status).to.equal(200);
    const { token, user } = first.body;
    const me = await service().request('GET', '/api/auth/me', { token: String(token) });
    expect(me.body.user).to.include({ email: 'new@example.com', displayName: 'Ada Lovelace', avatar: null });
    const again = await signIn(providerIdentity({ subject: 'new', email: 'other@example.com' }));
    expect([again.status, again.body.user?.id]).to.deep.equal([200, user?.id]);
  });

  it('refuses and spends a code that comes with another verifier', async () => {
    const { code, verifier } = await runFlow(
      providerIdentity({ subject: 'codes', email: 'codes@example.com' }),
    );
    for (const sentVerifier of [newPkcePair().verifier, verifier]) {
      const reply = await exchange(code, sentVerifier);
      expect([reply.status, reply.body.code]).to.deep.equal([401, 'invalid_flow']);
    }
    expect((await exchange(code, 'short')).body.code).to.equal('invalid_request');
  });

  it('asks for an email if the provider verified none, and accepts its code with the token', async () => {
    const emailStep = await signIn(
      providerIdentity({ subject: 'no email', email: null, emailVerified: false }),
    );
    expect(emailStep.body).to.include({ requiresEmail: true, email: null });
    const { signUpToken } = emailStep.body;
    const email = 'named@example.com';
    const signUp = () => service().post('/api/auth/providers/sign-up', { signUpToken, email });
    const mailed = await signUp();
    expect([mailed.status, mailed.body.email]).to.deep.equal([200, email]);
    const code = await service().codeFor(email);
    const verified = await service().post('/api/auth/verify-email', { email, code, signUpToken });
    expect(verified.status).to.equal(200);
    const late = await signUp();
    expect([late.status, late.body.code]).to.deep.equal([409, 'email_taken']);
  });

  it('does not link by email, but the signed-in owner can link and unlink the identity', async () => {
    const user = await service().signUp();
    const { token, email } = user;
    const identity = providerIdentity({ subject: 'a/b?c', email });
    const refused = await signIn(identity);
    expect([refused.status, refused.body.code, refused.body.email]).to.deep.equal([
      409,
      'account_exists',
      email,
    ]);
    const { linkToken } = refused.body;
    const confirm = (body: unknown, bearer: string) =>
      service().post('/api/auth/providers/link/confirm', body, { token: bearer });
    const wrongAccount = await confirm({ linkToken }, (await service().signUp()).token);
    expect([wrongAccount.status, wrongAccount.body.code]).to.deep.equal([403, 'wrong_account']);
    const { status, body } = await confirm({ linkToken }, token);
    expect([status, body.oauthAccounts?.[0]?.providerAccountId]).to.deep.equal([200, 'a/b?c']);
    expect((await confirm({}, token)).body.code).to.equal('invalid_request');
    expect((await signIn(identity)).body.user?.id).to.equal(user.id);

    const path = `/api/auth/providers/example/accounts/${encodeURIComponent('a/b?c')}`;
    const removed = await service().request('DELETE', path, { token });
    expect([removed.status, removed.body.oauthAccounts]).to.deep.equal([200, []]);
    for (const unknown of [path, `${path}${'x'.repeat(2_000)}`, path.replace('example', 'e'.repeat(1_000))]) {
      const { status, body } = await service().request('DELETE', unknown, { token });
      expect([status, body.code], unknown).to.deep.equal([404, 'identity_not_found']);
    }
  });

  it('links an identity by a flow of the session', async () => {
    const { token } = await service().signUp();
    const identity = providerIdentity({ subject: 'by-trip', email: 'elsewhere@example.com' });
    const { code, verifier } = await runFlowFor(token, '/api/auth/providers/example/link', identity);
    const linked = await service().post('/api/auth/providers/link/confirm', { code, verifier }, { token });
    expect([linked.status, linked.body.oauthAccounts?.[0]?.providerAccountId]).to.deep.equal([
      200,
      'by-trip',
    ]);
  });

  it('accepts a new sign-in at the provider as a fresh proof', async () => {
    const identity = providerIdentity({ subject: 'prover', email: 'prover@example.com' });
    const token = String((await signIn(identity)).body.token);
    service().clock.advance(11 * MINUTE);
    const link = () =>
      service().post(
        '/api/auth/providers/example/link',
        { redirectUri: REDIRECT, challenge: newPkcePair().challenge, state: STATE },
        { token },
      );
    const stale = await link();
    expect([stale.status, stale.body.code]).to.deep.equal([403, 'fresh_authentication_needed']);
    const { code, verifier } = await runFlowFor(token, '/api/auth/reauthenticate/example', identity);
    const proof = await service().post('/api/auth/reauthenticate', { code, verifier }, { token });
    expect(proof.status).to.equal(200);
    expect((await link()).status).to.equal(200);
  });
});

describe('A service without providers', () => {
  const service = useService();

  it('answers 404 on the routes of providers', async () => {
    const paths = ['', '/example/begin', '/example/callback'];
    for (const path of paths)
      expect((await service().request('GET', `/api/auth/providers${path}`)).status, path).to.equal(404);
    expect((await service().post('/api/auth/providers/exchange', {})).status).to.equal(404);
  });
});

describe('A service with passkeys and without providers', () => {
  const service = useService({
    PUBLIC_URL: 'http://localhost:3100',
    PASSKEYS: 'on',
    PASSKEY_RP_ID: 'localhost',
  });

  it('lists passkeys as available, and knows no provider', async () => {
    const { body } = await service().request('GET', '/api/auth/providers');
    expect(body).to.deep.equal({ providers: [], passkeys: true });
    expect((await service().request('GET', '/api/auth/providers/google/begin')).status).to.equal(404);
  });
});
