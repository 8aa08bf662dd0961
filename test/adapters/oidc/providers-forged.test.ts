import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import type { CallbackParams } from '../../../core/accounts/providers/identity-provider.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import {
  forge,
  type HostileProvider,
  makePair,
  openHostileProvider,
} from '../../support/hostile-provider.ts';
import { anOpenId, CLIENT, type One, openOne } from './provider-flows.ts';

type Fields = Readonly<Record<string, unknown>>;

const now = () => Math.floor(Date.now() / 1_000);
const otherPair = makePair('key-1');
const strange = makePair('key-2');
const small = makePair('key-1', 'RS256', 1024);
const curve = makePair('key-1', 'ES256');

const hmac = (secret: string | Buffer) => (input: string) =>
  createHmac('sha256', secret).update(input).digest('base64url');

/** What somebody who is between us and the provider, or is the provider, may put into the place of an `id_token`. */
const FORGED: Readonly<Record<string, (claims: Fields, provider: HostileProvider) => unknown>> = {
  'without signature': (claims, { pair }) => forge(claims, pair, { alg: 'none' }, () => ''),
  'without signature, in capitals': (claims, { pair }) => forge(claims, pair, { alg: 'NONE' }, () => ''),
  'of two parts': (claims, { pair }) => forge(claims, pair).split('.').slice(0, 2).join('.'),
  'of five parts': (claims, { pair }) => `${forge(claims, pair)}.a.b`,
  'without algorithm': (claims, { pair }) => forge(claims, pair, { alg: undefined }),
  'signed with the public key as a secret, PEM': (claims, { pair }) =>
    forge(claims, pair, { alg: 'HS256' }, hmac(pair.publicKey.export({ format: 'pem', type: 'spki' }))),
  'signed with the public key as a secret, JWK': (claims, { pair }) =>
    forge(claims, pair, { alg: 'HS256' }, hmac(JSON.stringify(pair.publicKey.export({ format: 'jwk' })))),
  'signed with the secret of the client': (claims, { pair }) =>
    forge(claims, pair, { alg: 'HS256' }, hmac(CLIENT.secret)),
  'signed with a secret of the key set': (claims, provider) => {
    provider.keys = { keys: [{ kty: 'oct', k: 'c2VjcmV0', kid: 'key-1', alg: 'HS256' }] };
    return forge(claims, provider.pair, { alg: 'HS256' }, hmac('secret'));
  },
  'of a key that the set has not': (claims) => forge(claims, strange),
  'of another key with the id of a known one': (claims) => forge(claims, otherPair),
  'that brings its key': (claims) =>
    forge(claims, otherPair, { jwk: otherPair.publicKey.export({ format: 'jwk' }) }),
  'that says where its key is': (claims) => forge(claims, strange, { jku: 'https://attacker.example/keys' }),
  'that says where its certificate is': (claims) =>
    forge(claims, strange, { x5u: 'https://attacker.example' }),
  'of a key that is too short': (claims, provider) => {
    provider.keys = { keys: [{ ...small.publicKey.export({ format: 'jwk' }), kid: 'key-1' }] };
    return forge(claims, small);
  },
  'of an algorithm that the provider does not list': (claims, provider) => {
    provider.keys = { keys: [{ ...curve.publicKey.export({ format: 'jwk' }), kid: 'key-1' }] };
    return forge(claims, curve);
  },
  'of an algorithm that is listed, and not taken': (claims, provider) => {
    provider.description = { id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'] };
    return forge(claims, provider.pair, { alg: 'HS256' }, hmac(CLIENT.secret));
  },
  'with the signature of another one': (claims, { pair }) =>
    forge(claims, pair, {}, () => forge({}, pair).split('.')[2] ?? ''),
  'with a signature that is no base64url': (claims, { pair }) => forge(claims, pair, {}, () => '%%%'),
  'with an extension that must be understood': (claims, { pair }) =>
    forge(claims, pair, { crit: ['b64'], b64: false }),
  'whose claims are a list': (claims, { pair }) => forge([claims], pair),
  'that is no token': () => 'token',
  'that is no text': (claims) => claims,
  'that is not there': () => undefined,
};

/** Claims that an honest signature may stand under. Undefined: left out. */
const WRONG: readonly (readonly [Fields, string])[] = [
  [{ iss: 'https://attacker.example' }, 'iss'],
  [{ iss: undefined }, 'id_token'],
  [{ aud: 'other' }, 'aud'],
  [{ aud: undefined }, 'id_token'],
  [{ aud: [] }, 'aud'],
  [{ aud: ['other'] }, 'aud'],
  [{ aud: [CLIENT.id, 'other'] }, 'aud'],
  [{ aud: [CLIENT.id, 'other'], azp: 'other' }, 'azp'],
  [{ nonce: undefined }, 'id_token'],
  [{ nonce: '' }, 'nonce'],
  [{ nonce: 'other' }, 'nonce'],
  [{ exp: undefined }, 'id_token'],
  [{ exp: 'never' }, 'id_token'],
  [{ exp: now() - 61 }, 'exp'],
  [{ nbf: now() + 86_400 }, 'nbf'],
  [{ iat: undefined }, 'id_token'],
  [{ iat: now() + 86_400 }, 'iat'],
  [{ iat: now() - 120 }, 'iat'],
  [{ sub: undefined }, 'id_token'],
  [{ sub: 7 }, 'id_token'],
  [{ sub: '' }, 'sub'],
  [{ sub: 's'.repeat(256) }, 'sub'],
  [{ sub: 'half \ud800' }, 'sub'],
];

describe('An id_token', () => {
  let provider: HostileProvider;
  let client: One;
  beforeEach(async () => {
    provider = await openHostileProvider(CLIENT.id);
    client = openOne(anOpenId({ issuer: provider.issuer }));
  });
  afterEach(() => provider.close());

  const travel = async (change: (answer: CallbackParams) => CallbackParams = (answer) => answer) => {
    const { address, trip } = await client.begin();
    return client.identify(change(provider.meet(address)), trip);
  };
  const isRefusedOnce = async () => {
    expect(await rejectionOf(travel)).to.include({ kind: 'refused', code: 'provider_answer_invalid' });
    expect(client.reasons()).to.have.length(1);
    expect(client.log.lines.filter(({ event }) => event !== 'oidc.clock')).to.have.length(1);
  };

  it('is taken when all is well', async () => {
    provider.claims = { aud: [CLIENT.id, 'other'], azp: CLIENT.id, sub: 's'.repeat(255) };
    expect(await travel()).to.include({ subject: 's'.repeat(255), emailVerified: true });
    expect(client.log.lines).to.deep.equal([]);
  });

  for (const [what, idToken] of Object.entries(FORGED)) {
    it(`is refused, with one line, ${what}`, async () => {
      provider.idToken = (claims) => idToken(claims, provider);
      await isRefusedOnce();
      expect(provider.asked.map(({ path }) => path).join()).to.not.match(/attacker|userinfo/);
    });
  }

  for (const [claims, reason] of WRONG) {
    it(`is refused with ${JSON.stringify(claims).slice(0, 50)}${JSON.stringify(Object.keys(claims))}`, async () => {
      provider.claims = claims;
      await isRefusedOnce();
      expect(client.reasons()).to.deep.equal([reason]);
    });
  }
});
