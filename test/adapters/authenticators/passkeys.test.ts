import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { makePasskeys } from '../../../adapters/authenticators/passkeys.ts';
import type { CredentialJson } from '../../../core/accounts/ports.ts';
import { type Behaviour, makeAuthenticator, makeKey } from '../../support/passkeys/authenticator.ts';
import { cbor } from '../../support/passkeys/cbor.ts';

const ORIGIN = 'https://app.example.com';
const SITE = { id: 'example.com', origins: [ORIGIN, 'android:apk-key-hash:abc'] };
const ALGORITHMS = [-7, -8, -257];

const passkeys = makePasskeys(SITE);
const device = makeAuthenticator(ORIGIN);

const challenge = () => randomBytes(32).toString('base64url');

const register = (
  behaviour: Parameters<typeof device.create>[1] = {},
  change = (answer: object): object => answer,
) => {
  const options = { challenge: challenge(), rpId: SITE.id };
  const credential = device.create({ ...options, rp: { id: SITE.id }, user: { id: 'aGFuZGxl' } }, behaviour);
  const answer = change(credential.answer) as CredentialJson;
  return { created: credential, result: passkeys.register(answer, { ...options, algorithms: ALGORITHMS }) };
};

const login = async (behaviour: Behaviour = {}, creation: Parameters<typeof device.create>[1] = {}) => {
  const { credential } = device.create({ challenge: challenge(), rp: { id: SITE.id } }, creation);
  const options = { challenge: challenge(), rpId: SITE.id };
  const answer = device.get(options, credential, behaviour);
  return passkeys.assert(answer, { ...options, key: credential.key.toString('base64url') });
};

const VERIFIED = { counter: 0, backupEligible: false, backedUp: false, userVerified: true };

describe('The passkey verifier (@simplewebauthn/server)', () => {
  for (const algorithm of ALGORITHMS)
    it(`accepts a passkey of algorithm ${algorithm} and its assertion`, async () => {
      const { created: credential, result } = register({ algorithm });
      expect(await result).to.deep.equal({
        ...VERIFIED,
        credentialId: credential.credential.id,
        key: credential.credential.key.toString('base64url'),
        algorithm,
        transports: ['hybrid', 'internal'],
        aaguid: '00000000-0000-0000-0000-000000000000',
      });
      expect(await login({}, { algorithm })).to.deep.equal(VERIFIED);
    });

  const mismatches: readonly (readonly [string, Behaviour, string])[] = [
    ['another challenge', { challenge: challenge() }, 'challenge'],
    ['another origin', { origin: 'https://example.com' }, 'origin'],
    ['an origin that begins alike', { origin: `${ORIGIN}.evil.example` }, 'origin'],
    ['a page in a frame', { crossOrigin: true }, 'framed'],
    ['a page in a frame, flagged by a string', { crossOrigin: 'true' }, 'framed'],
    ['a page below a top-level origin', { topOrigin: ORIGIN }, 'framed'],
    ['another type of ceremony', { type: 'payment.get' }, 'malformed'],
    ['another RP ID', { rpId: 'example.org' }, 'not_proved'],
    ['a missing user presence flag', { userPresent: false }, 'not_proved'],
    ['a backed-up passkey that is not backup eligible', { backedUp: true }, 'not_proved'],
  ];
  for (const [title, behaviour, reason] of mismatches)
    it(`refuses ${title}`, async () => {
      expect(await register(behaviour).result).to.deep.equal({ reason });
      expect(await login(behaviour)).to.deep.equal({ reason });
    });

  it('accepts an app origin that is not a URL', async () => {
    expect(await login({ origin: 'android:apk-key-hash:abc' })).to.deep.equal(VERIFIED);
  });

  it('refuses a signature that is wrong, empty or of another key', async () => {
    const flip = (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => (at === 10 ? byte ^ 1 : byte)));
    for (const signature of [flip, () => Buffer.alloc(0), () => randomBytes(64)])
      expect(await login({ signature })).to.deep.equal({ reason: 'not_proved' });
    expect(await login({ signature: flip }, { algorithm: -8 })).to.deep.equal({ reason: 'not_proved' });
  });

  it('returns counter, backup state and user verification, and accepts a lower counter', async () => {
    const creation = { backupEligible: true, counter: 9 };
    const returned = await login({ counter: 3, userVerified: false, backedUp: true }, creation);
    expect(returned).to.deep.equal({ counter: 3, backupEligible: true, backedUp: true, userVerified: false });
  });

  const weak = makeKey(-257, 1_024).key;
  const [ec, rsa] = [makeKey(-7).key, makeKey(-257).key];
  const point = (x: Buffer, y: Buffer, curve = 1, algorithm = -7) =>
    cbor(
      new Map<number, number | Buffer>([
        [1, 2],
        [3, algorithm],
        [-1, curve],
        [-2, x],
        [-3, y],
      ]),
    );
  const keys: readonly (readonly [string, Buffer, string])[] = [
    ['RSA of 1,024 bits', weak, 'algorithm'],
    ['RSA of 512 bits', rsaOf(randomBytes(64)), 'algorithm'],
    ['RSA with the exponent 1', rsaOf(randomBytes(256), Buffer.of(1)), 'algorithm'],
    ['RSA of 16,384 bits', rsaOf(Buffer.alloc(2_048, 0xff)), 'algorithm'],
    ['a key longer than any accepted one', rsaOf(Buffer.alloc(3_072, 0xff)), 'malformed'],
    ['a point off the curve', point(randomBytes(32), randomBytes(32)), 'algorithm'],
    ['the all-zero point', point(Buffer.alloc(32), Buffer.alloc(32)), 'algorithm'],
    ['another curve', point(randomBytes(48), randomBytes(48), 2), 'algorithm'],
    ['an algorithm that was not requested', point(randomBytes(32), randomBytes(32), 1, -35), 'not_proved'],
    [
      'ML-DSA-44',
      cbor(
        new Map<number, number | Buffer>([
          [1, 7],
          [3, -48],
          [-1, randomBytes(1_312)],
        ]),
      ),
      'not_proved',
    ],
    ['a truncated key', ec.subarray(0, 20), 'not_proved'],
    ['a key with trailing bytes', Buffer.concat([ec, rsa]), 'not_proved'],
    ['an empty COSE key', cbor(new Map()), 'not_proved'],
  ];
  for (const [title, key, reason] of keys)
    it(`refuses ${title}`, async () => {
      expect(await register({ key }).result).to.deep.equal({ reason });
    });

  it('refuses a credential id that differs from the signed one or is too long', async () => {
    const withOtherId = (answer: object) => ({ ...answer, id: 'b3RoZXI', rawId: 'b3RoZXI' });
    expect(await register({}, withOtherId).result).to.deep.equal({ reason: 'malformed' });
    expect(await register({ id: randomBytes(1_024) }).result).to.deep.equal({ reason: 'malformed' });
    expect(await register({ id: randomBytes(1_023) }).result).to.have.property('credentialId');
  });

  it('refuses data that take long to decode', async () => {
    const items = cbor(new Array<string>(45_000).fill(''));
    const { credential } = device.create({ challenge: challenge(), rp: { id: SITE.id } });
    const options = { challenge: challenge(), rpId: SITE.id };
    const answer = device.get(options, credential) as {
      readonly response: { readonly authenticatorData: string };
    };
    const data = Buffer.from(answer.response.authenticatorData, 'base64url');
    // The flag of extensions, which follow.
    data[32] = (data[32] ?? 0) | 0x80;
    const authenticatorData = Buffer.concat([data, items]).toString('base64url');
    const longAnswer = { ...answer, response: { ...answer.response, authenticatorData } };
    const key = credential.key.toString('base64url');
    expect(await passkeys.assert(longAnswer, { ...options, key })).to.deep.equal({ reason: 'malformed' });

    const statement = { format: 'packed', values: new Map([['sig', Buffer.alloc(12_288)]]) };
    expect(await register({ statement }).result).to.deep.equal({ reason: 'malformed' });
  });

  it('accepts any attestation statement without checking it', async () => {
    for (const format of ['packed', 'tpm', 'apple', 'android-safetynet', 'made-up']) {
      const statement = { format, values: new Map([['sig', randomBytes(64)]]) };
      expect(await register({ statement }).result).to.have.property('algorithm', -7);
    }
  });

  it('refuses malformed responses', async () => {
    const options = { challenge: challenge(), rpId: SITE.id };
    for (const answer of [
      {},
      { response: null },
      { response: [] },
      { response: { clientDataJSON: 'e30' } },
    ]) {
      expect(await passkeys.register(answer, { ...options, algorithms: ALGORITHMS })).to.have.property(
        'reason',
      );
      expect(await passkeys.assert(answer, { ...options, key: 'AA' })).to.have.property('reason');
    }
  });
});

function rsaOf(n: Buffer, e = Buffer.of(1, 0, 1)): Buffer {
  n[0] = (n[0] ?? 0) | 0x80;
  return cbor(
    new Map<number, number | Buffer>([
      [1, 3],
      [3, -257],
      [-1, n],
      [-2, e],
    ]),
  );
}
