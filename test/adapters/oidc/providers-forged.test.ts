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
import { CLIENT, type IdpClient, openIdOf, openIdp } from './provider-flows.ts';

type Fields = Readonly<Record<string, unknown>>;

const now = () => Math.floor(Date.now() / 1_000);
const otherPair = makePair('key-1');
const unknownPair = makePair('key-2');
const small = makePair('key-1', 'RS256', 1024);
const curve = makePair('key-1', 'ES256');

const hmac = (secret: string | Buffer) => (input: string) =>
  createHmac('sha256', secret).update(input).digest('base64url');

/** Values that a hostile provider, or an attacker between us and the provider, may send as `id_token`. */
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
  'signed with an unknown key': (claims) => forge(claims, unknownPair),
  'signed with an unknown key under a known id': (claims) => forge(claims, otherPair),
  'with an embedded key': (claims) =>
    forge(claims, otherPair, { jwk: otherPair.publicKey.export({ format: 'jwk' }) }),
  'with a URL of its key': (claims) => forge(claims, unknownPair, { jku: 'https://attacker.example/keys' }),
  'with a URL of its certificate': (claims) =>
    forge(claims, unknownPair, { x5u: 'https://attacker.example' }),
  'signed with a key that is too short': (claims, provider) => {
    provider.keys = { keys: [{ ...small.publicKey.export({ format: 'jwk' }), kid: 'key-1' }] };
    return forge(claims, small);
  },
  'with an algorithm that the provider does not list': (claims, provider) => {
    provider.keys = { keys: [{ ...curve.publicKey.export({ format: 'jwk' }), kid: 'key-1' }] };
    return forge(claims, curve);
  },
  'with a listed algorithm that is not supported': (claims, provider) => {
    provider.description = { id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'] };
    return forge(claims, provider.pair, { alg: 'HS256' }, hmac(CLIENT.secret));
  },
  'with the signature of another token': (claims, { pair }) =>
    forge(claims, pair, {}, () => forge({}, pair).split('.')[2] ?? ''),
  'with a signature that is not base64url': (claims, { pair }) => forge(claims, pair, {}, () => '%%%'),
  'with an extension that must be understood': (claims, { pair }) =>
    forge(claims, pair, { crit: ['b64'], b64: false }),
  'whose claims are a list': (claims, { pair }) => forge([claims], pair),
  'that is not a token': () => 'token',
  'that is not a string': (claims) => claims,
  'that is missing': () => undefined,
};

/** Invalid claims under a valid signature; undefined removes a claim. */
const INVALID_CLAIMS: readonly (readonly [Fields, string])[] = [
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
  let client: IdpClient;
  beforeEach(async () => {
    provider = await openHostileProvider(CLIENT.id);
    client = openIdp(openIdOf({ issuer: provider.issuer }));
  });
  afterEach(() => provider.close());

  const signIn = async (change: (answer: CallbackParams) => CallbackParams = (answer) => answer) => {
    const { address, flow } = await client.begin();
    return client.identify(change(provider.meet(address)), flow);
  };
  const expectOneRefusal = async () => {
    expect(await rejectionOf(signIn)).to.include({ kind: 'refused', code: 'provider_answer_invalid' });
    expect(client.reasons()).to.have.length(1);
    expect(client.log.lines.filter(({ event }) => event !== 'oidc.clock')).to.have.length(1);
  };

  it('is accepted if all checks succeed', async () => {
    provider.claims = { aud: [CLIENT.id, 'other'], azp: CLIENT.id, sub: 's'.repeat(255) };
    expect(await signIn()).to.include({ subject: 's'.repeat(255), emailVerified: true });
    expect(client.log.lines).to.deep.equal([]);
  });

  for (const [label, idToken] of Object.entries(FORGED)) {
    it(`is refused and logged once: ${label}`, async () => {
      provider.idToken = (claims) => idToken(claims, provider);
      await expectOneRefusal();
      expect(provider.asked.map(({ path }) => path).join()).to.not.match(/attacker|userinfo/);
    });
  }

  for (const [claims, reason] of INVALID_CLAIMS) {
    it(`is refused with ${JSON.stringify(claims).slice(0, 50)}${JSON.stringify(Object.keys(claims))}`, async () => {
      provider.claims = claims;
      await expectOneRefusal();
      expect(client.reasons()).to.deep.equal([reason]);
    });
  }
});
