import { expect } from 'chai';
import sinon from 'sinon';
import type { CallbackParams } from '../../../core/accounts/providers/identity-provider.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { useFakeTime } from '../../support/fake-time.ts';
import {
  type IdentityProviderOptions,
  openIdentityProvider,
  type TestIdentityProvider,
} from '../../support/servers/identity-provider.ts';
import { CLIENT, openIdOf, openIdp, REDIRECT_URI, runFlow } from './provider-flows.ts';

const ADA = {
  email: 'ada@example.com',
  email_verified: true,
  name: 'Ada Lovelace',
  picture: 'https://id.example/ada.png',
};
const INVALID = { kind: 'refused', code: 'provider_answer_invalid' };

const without = (name: string) => (answer: CallbackParams) => answer.filter(([key]) => key !== name);
const withOther = (name: string, value: string) => (answer: CallbackParams) =>
  answer.map(([key, old]) => [key, key === name ? value : old] as const);
const withMore = (name: string, value: string) => (answer: CallbackParams) => [
  ...answer,
  [name, value] as const,
];

describe('An OpenID Connect provider', () => {
  let servers: TestIdentityProvider[] = [];
  const open = async (options: Partial<IdentityProviderOptions> = {}): Promise<TestIdentityProvider> => {
    const server = await openIdentityProvider({
      client: CLIENT,
      redirectUri: REDIRECT_URI,
      claims: ADA,
      ...options,
    });
    servers.push(server);
    return server;
  };
  afterEach(async () => {
    for (const server of servers) await server.close();
    servers = [];
  });

  for (const claimsInToken of [true, false]) {
    it(`identifies a user by ${claimsInToken ? 'its token' : 'userinfo if claims are missing'}`, async () => {
      const server = await open({ claimsInToken });
      expect(await runFlow(server, openIdOf({ issuer: server.issuer }))).to.deep.equal({
        ...{ provider: 'staff', issuer: server.issuer, subject: 'subject-1' },
        ...{ email: 'ada@example.com', emailVerified: true, name: 'Ada Lovelace' },
        ...{ picture: 'https://id.example/ada.png', authenticatedAt: null },
      });
      expect(server.asked.includes('/me')).to.equal(!claimsInToken);
    });
  }

  for (const algorithm of ['RS256', 'PS256', 'ES256', 'EdDSA'] as const) {
    it(`may sign with ${algorithm}, and is asked once for metadata and keys`, async () => {
      const server = await open({ algorithm, claimsInToken: true });
      const client = openIdp(openIdOf({ issuer: server.issuer }));
      for (const _ of [1, 2]) expect(await runFlow(server, client)).to.include({ subject: 'subject-1' });
      expect(server.asked).to.deep.equal(['/.well-known/openid-configuration', '/token', '/jwks', '/token']);
    });
  }

  it('receives PKCE and the configured scopes, and a request for a new sign-in for a proof', async () => {
    const server = await open();
    const client = openIdp(openIdOf({ issuer: server.issuer, scopes: 'openid email' }));
    const { address, flow } = await client.begin();
    const params = Object.fromEntries(new URL(address).searchParams);
    expect(params).to.include({
      ...{ response_type: 'code', client_id: CLIENT.id, redirect_uri: REDIRECT_URI, scope: 'openid email' },
      ...{ state: flow.state, nonce: flow.nonce, code_challenge_method: 'S256' },
    });
    expect(params.code_challenge)
      .to.match(/^[\w-]{43}$/)
      .and.not.equal(flow.verifier);
    expect(params).to.not.have.any.keys('prompt', 'max_age', 'response_mode');
    const proof = await client.begin(true);
    expect(Object.fromEntries(new URL(proof.address).searchParams)).to.include({
      prompt: 'login',
      max_age: '0',
    });
    const before = Date.now();
    const answer = await server.visit(proof.address);
    const { authenticatedAt } = await client.identify(answer, proof.flow);
    // The provider sends whole seconds.
    expect(authenticatedAt).to.be.within(before - 999, Date.now());
  });

  it('receives the client secret by its advertised or the configured method', async () => {
    for (const auth of ['client_secret_basic', 'client_secret_post'] as const) {
      const { issuer, visit } = await open({ auth });
      expect(await runFlow({ visit }, openIdOf({ issuer }))).to.include({ subject: 'subject-1' });
      const set = openIdOf({ issuer, auth: auth === 'client_secret_basic' ? 'basic' : 'post' });
      expect(await runFlow({ visit }, set)).to.include({ subject: 'subject-1' });
      const wrong = openIdOf({ issuer, clientSecret: 'another' });
      expect(await rejectionOf(() => runFlow({ visit }, wrong))).to.include({ code: 'provider_error' });
    }
  });

  it('is refused if its clock is off by more than a minute', async () => {
    // The clock is fixed, since a flow may take longer than the margin of two seconds on a busy machine.
    const time = sinon.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    try {
      const server = await open();
      const settings = openIdOf({ issuer: server.issuer });
      for (const ahead of [59, -59]) {
        expect(await runFlow(server, openIdp(settings, { ahead }))).to.include({ subject: 'subject-1' });
      }
      for (const ahead of [62, -62]) {
        const client = openIdp(settings, { ahead });
        expect(await rejectionOf(() => runFlow(server, client))).to.include(INVALID);
        expect(client.reasons()).to.deep.equal(['iat']);
        const [clock] = client.log.lines.filter(({ event }) => event === 'oidc.clock');
        expect(clock?.fields.count).to.be.closeTo(-ahead, 2);
      }
    } finally {
      time.restore();
    }
  });

  it('may omit iss from callbacks if its metadata allows that', async () => {
    const server = await open({ namesItself: false });
    expect(await runFlow(server, openIdOf({ issuer: server.issuer }))).to.include({ subject: 'subject-1' });
  });

  const MIXED: readonly (readonly [string, (answer: CallbackParams) => CallbackParams, string, string])[] = [
    ['of another issuer', withOther('iss', 'https://attacker.example'), 'provider_answer_invalid', 'iss'],
    ['of no issuer', without('iss'), 'provider_answer_invalid', 'iss'],
    ['with two issuers', withMore('iss', 'https://attacker.example'), 'provider_answer_invalid', 'repeated'],
    ['with two codes', withMore('code', 'another'), 'provider_answer_invalid', 'repeated'],
    [
      'with another parameter twice',
      (answer) => [...answer, ['x', '1'], ['x', '1']],
      'provider_answer_invalid',
      'repeated',
    ],
    ['of another state', withOther('state', 'another'), 'provider_answer_invalid', 'state'],
    ['without code', without('code'), 'provider_answer_invalid', 'code'],
    ['with an id_token', withMore('id_token', 'a.b.c'), 'provider_answer_invalid', 'front_channel'],
    ['with a token', withMore('access_token', 'a'), 'provider_answer_invalid', 'front_channel'],
    ['with a signed response', withMore('response', 'a.b.c'), 'provider_answer_invalid', 'front_channel'],
    ['with an error and a code', withMore('error', 'login_required'), 'provider_error', 'login_required'],
    ['with an unknown error', withMore('error', 'Ada@Example'), 'provider_error', 'other_error'],
  ];
  it('is not asked for tokens after an invalid callback', async () => {
    const server = await open();
    for (const [label, answer, code, reason] of MIXED) {
      const client = openIdp(openIdOf({ issuer: server.issuer }));
      expect(await rejectionOf(() => runFlow(server, client, { answer })), label).to.include({ code });
      expect(client.log.lines, label).to.deep.equal([
        { level: 'warn', event: 'oidc.answer_refused', fields: { id: 'staff', reason } },
      ]);
    }
    expect(server.asked).to.not.include('/token');
  });

  it('is refused with the callback of another provider', async () => {
    const [a, b] = [await open(), await open()];
    const client = openIdp(openIdOf({ issuer: a.issuer }));
    const { flow } = await client.begin();
    const otherFlow = await openIdp(openIdOf({ issuer: b.issuer })).begin();
    const answer = withOther('state', flow.state)(await b.visit(otherFlow.address));
    expect(await rejectionOf(() => client.identify(answer, flow))).to.include(INVALID);
    // Even with the expected iss, the code of another provider is invalid.
    const unnamed = withOther('iss', a.issuer)(answer);
    expect(await rejectionOf(() => client.identify(unnamed, flow))).to.include({ code: 'provider_error' });
    // The configured issuer has changed since the flow began.
    expect(await rejectionOf(() => runFlow(a, client, { flow: { issuer: b.issuer } }))).to.include(INVALID);
    expect(client.reasons()).to.deep.equal(['iss', 'invalid_grant', 'issuer']);
  });

  it('is refused after a flow with another verifier or nonce', async () => {
    const server = await open();
    const client = openIdp(openIdOf({ issuer: server.issuer }));
    const otherRequest = { verifier: 'v'.repeat(43) };
    expect(await rejectionOf(() => runFlow(server, client, { flow: otherRequest }))).to.include({
      code: 'provider_error',
    });
    expect(await rejectionOf(() => runFlow(server, client, { flow: { nonce: 'n' } }))).to.include(INVALID);
    expect(client.reasons()).to.deep.equal(['invalid_grant', 'nonce']);
  });

  it('may deny access, which is not logged', async () => {
    const server = await open();
    const client = openIdp(openIdOf({ issuer: server.issuer }));
    const denied = (answer: CallbackParams) => withMore('error', 'access_denied')(without('code')(answer));
    expect(await rejectionOf(() => runFlow(server, client, { answer: denied }))).to.include({
      ...{ kind: 'refused', code: 'access_denied' },
    });
    expect(client.log.lines).to.deep.equal([]);
  });

  describe('that rotates its keys', () => {
    const time = useFakeTime();

    it('is asked for its keys again after a minute at the earliest', async () => {
      const server = await open();
      const client = openIdp(openIdOf({ issuer: server.issuer }));
      await runFlow(server, client);
      await server.rotateKeys();
      expect(await rejectionOf(() => runFlow(server, client))).to.include(INVALID);
      expect(client.reasons()).to.deep.equal(['key']);
      time.advance(60_000);
      expect(await runFlow(server, client)).to.include({ subject: 'subject-1' });
      expect(server.asked.filter((path) => path === '/jwks')).to.have.length(2);
    });
  });
});
