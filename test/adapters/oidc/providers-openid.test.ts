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
import { anOpenId, CLIENT, openOne, REDIRECT_URI, takeTrip } from './provider-flows.ts';

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

describe('A provider of OpenID Connect', () => {
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
    it(`says who somebody is, ${claimsInToken ? 'in its token' : 'when it is asked for what the token lacks'}`, async () => {
      const server = await open({ claimsInToken });
      expect(await takeTrip(server, anOpenId({ issuer: server.issuer }))).to.deep.equal({
        ...{ provider: 'staff', issuer: server.issuer, subject: 'subject-1' },
        ...{ email: 'ada@example.com', emailVerified: true, name: 'Ada Lovelace' },
        ...{ picture: 'https://id.example/ada.png', authenticatedAt: null },
      });
      expect(server.asked.includes('/me')).to.equal(!claimsInToken);
    });
  }

  for (const algorithm of ['RS256', 'PS256', 'ES256', 'EdDSA'] as const) {
    it(`may sign by ${algorithm}, and be asked once for description and keys`, async () => {
      const server = await open({ algorithm, claimsInToken: true });
      const client = openOne(anOpenId({ issuer: server.issuer }));
      for (const _ of [1, 2]) expect(await takeTrip(server, client)).to.include({ subject: 'subject-1' });
      expect(server.asked).to.deep.equal(['/.well-known/openid-configuration', '/token', '/jwks', '/token']);
    });
  }

  it('is asked with PKCE, in the scopes that are set, and for a log-in when that is to prove something', async () => {
    const server = await open();
    const client = openOne(anOpenId({ issuer: server.issuer, scopes: 'openid email' }));
    const { address, trip } = await client.begin();
    const params = Object.fromEntries(new URL(address).searchParams);
    expect(params).to.include({
      ...{ response_type: 'code', client_id: CLIENT.id, redirect_uri: REDIRECT_URI, scope: 'openid email' },
      ...{ state: trip.state, nonce: trip.nonce, code_challenge_method: 'S256' },
    });
    expect(params.code_challenge)
      .to.match(/^[\w-]{43}$/)
      .and.not.equal(trip.verifier);
    expect(params).to.not.have.any.keys('prompt', 'max_age', 'response_mode');
    const proof = await client.begin(true);
    expect(Object.fromEntries(new URL(proof.address).searchParams)).to.include({
      prompt: 'login',
      max_age: '0',
    });
    const before = Date.now();
    const answer = await server.visit(proof.address);
    const { authenticatedAt } = await client.identify(answer, proof.trip);
    // It is told in whole seconds.
    expect(authenticatedAt).to.be.within(before - 999, Date.now());
  });

  it('takes the secret of the client as it says, or as the settings say', async () => {
    for (const auth of ['client_secret_basic', 'client_secret_post'] as const) {
      const { issuer, visit } = await open({ auth });
      expect(await takeTrip({ visit }, anOpenId({ issuer }))).to.include({ subject: 'subject-1' });
      const set = anOpenId({ issuer, auth: auth === 'client_secret_basic' ? 'basic' : 'post' });
      expect(await takeTrip({ visit }, set)).to.include({ subject: 'subject-1' });
      const wrong = anOpenId({ issuer, clientSecret: 'another' });
      expect(await rejectionOf(() => takeTrip({ visit }, wrong))).to.include({ code: 'provider_error' });
    }
  });

  it('is refused when its clock is off by more than a minute', async () => {
    // The two seconds between are not for the way to the provider and back, which may take longer on a busy machine.
    const time = sinon.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    try {
      const server = await open();
      const settings = anOpenId({ issuer: server.issuer });
      for (const ahead of [59, -59]) {
        expect(await takeTrip(server, openOne(settings, { ahead }))).to.include({ subject: 'subject-1' });
      }
      for (const ahead of [62, -62]) {
        const client = openOne(settings, { ahead });
        expect(await rejectionOf(() => takeTrip(server, client))).to.include(INVALID);
        expect(client.reasons()).to.deep.equal(['iat']);
        const [clock] = client.log.lines.filter(({ event }) => event === 'oidc.clock');
        expect(clock?.fields.count).to.be.closeTo(-ahead, 2);
      }
    } finally {
      time.restore();
    }
  });

  it('may leave its own name out of answers if it says so', async () => {
    const server = await open({ namesItself: false });
    expect(await takeTrip(server, anOpenId({ issuer: server.issuer }))).to.include({ subject: 'subject-1' });
  });

  const MIXED: readonly (readonly [string, (answer: CallbackParams) => CallbackParams, string, string])[] = [
    ['of another issuer', withOther('iss', 'https://attacker.example'), 'provider_answer_invalid', 'iss'],
    ['of no issuer', without('iss'), 'provider_answer_invalid', 'iss'],
    ['with two issuers', withMore('iss', 'https://attacker.example'), 'provider_answer_invalid', 'repeated'],
    ['with two codes', withMore('code', 'another'), 'provider_answer_invalid', 'repeated'],
    [
      'with something else twice',
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
    ['with an error of its own', withMore('error', 'Ada@Example'), 'provider_error', 'other_error'],
  ];
  it('is not asked for tokens after an answer that is not its own', async () => {
    const server = await open();
    for (const [what, answer, code, reason] of MIXED) {
      const client = openOne(anOpenId({ issuer: server.issuer }));
      expect(await rejectionOf(() => takeTrip(server, client, { answer })), what).to.include({ code });
      expect(client.log.lines, what).to.deep.equal([
        { level: 'warn', event: 'oidc.answer_refused', fields: { id: 'staff', reason } },
      ]);
    }
    expect(server.asked).to.not.include('/token');
  });

  it('gives its answer to nobody else', async () => {
    const [a, b] = [await open(), await open()];
    const client = openOne(anOpenId({ issuer: a.issuer }));
    const { trip } = await client.begin();
    const otherFlow = await openOne(anOpenId({ issuer: b.issuer })).begin();
    const answer = withOther('state', trip.state)(await b.visit(otherFlow.address));
    expect(await rejectionOf(() => client.identify(answer, trip))).to.include(INVALID);
    // Without the name of the other one, its code is no code here.
    const unnamed = withOther('iss', a.issuer)(answer);
    expect(await rejectionOf(() => client.identify(unnamed, trip))).to.include({ code: 'provider_error' });
    // The settings name another issuer since the trip began.
    expect(await rejectionOf(() => takeTrip(a, client, { trip: { issuer: b.issuer } }))).to.include(INVALID);
    expect(client.reasons()).to.deep.equal(['iss', 'invalid_grant', 'issuer']);
  });

  it('gives nobody a token for a code with another verifier, nor one for another nonce', async () => {
    const server = await open();
    const client = openOne(anOpenId({ issuer: server.issuer }));
    const otherRequest = { verifier: 'v'.repeat(43) };
    expect(await rejectionOf(() => takeTrip(server, client, { trip: otherRequest }))).to.include({
      code: 'provider_error',
    });
    expect(await rejectionOf(() => takeTrip(server, client, { trip: { nonce: 'n' } }))).to.include(INVALID);
    expect(client.reasons()).to.deep.equal(['invalid_grant', 'nonce']);
  });

  it('may refuse, which is nothing to log', async () => {
    const server = await open();
    const client = openOne(anOpenId({ issuer: server.issuer }));
    const denied = (answer: CallbackParams) => withMore('error', 'access_denied')(without('code')(answer));
    expect(await rejectionOf(() => takeTrip(server, client, { answer: denied }))).to.include({
      ...{ kind: 'refused', code: 'access_denied' },
    });
    expect(client.log.lines).to.deep.equal([]);
  });

  describe('that changes its keys', () => {
    const time = useFakeTime();

    it('is asked for them anew, a minute after the last time at the earliest', async () => {
      const server = await open();
      const client = openOne(anOpenId({ issuer: server.issuer }));
      await takeTrip(server, client);
      await server.rotateKeys();
      expect(await rejectionOf(() => takeTrip(server, client))).to.include(INVALID);
      expect(client.reasons()).to.deep.equal(['key']);
      time.advance(60_000);
      expect(await takeTrip(server, client)).to.include({ subject: 'subject-1' });
      expect(server.asked.filter((path) => path === '/jwks')).to.have.length(2);
    });
  });
});
