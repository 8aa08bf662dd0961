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
  return { made: credential, done: passkeys.register(answer, { ...options, algorithms: ALGORITHMS }) };
};

const login = async (behaviour: Behaviour = {}, born: Parameters<typeof device.create>[1] = {}) => {
  const { credential } = device.create({ challenge: challenge(), rp: { id: SITE.id } }, born);
  const options = { challenge: challenge(), rpId: SITE.id };
  const answer = device.get(options, credential, behaviour);
  return passkeys.assert(answer, { ...options, key: credential.key.toString('base64url') });
};

const GOOD = { counter: 0, backupEligible: false, backedUp: false, userVerified: true };

describe('Passkeys by @simplewebauthn/server', () => {
  for (const algorithm of ALGORITHMS)
    it(`take a passkey of algorithm ${algorithm}, and what it signs`, async () => {
      const { made: credential, done: result } = register({ algorithm });
      expect(await result).to.deep.equal({
        ...GOOD,
        credentialId: credential.credential.id,
        key: credential.credential.key.toString('base64url'),
        algorithm,
        transports: ['hybrid', 'internal'],
        aaguid: '00000000-0000-0000-0000-000000000000',
      });
      expect(await login({}, { algorithm })).to.deep.equal(GOOD);
    });

  const lies: readonly (readonly [string, Behaviour, string])[] = [
    ['another challenge', { challenge: challenge() }, 'challenge'],
    ['another origin', { origin: 'https://example.com' }, 'origin'],
    ['an origin that begins alike', { origin: `${ORIGIN}.evil.example` }, 'origin'],
    ['a page in a frame', { crossOrigin: true }, 'framed'],
    ['a page in a frame, said by a text', { crossOrigin: 'true' }, 'framed'],
    ['a page under another one', { topOrigin: ORIGIN }, 'framed'],
    ['another type of ceremony', { type: 'payment.get' }, 'malformed'],
    ['another RP ID', { rpId: 'example.org' }, 'not_proved'],
    ['nobody there', { userPresent: false }, 'not_proved'],
    ['a copy of what cannot be copied', { backedUp: true }, 'not_proved'],
  ];
  for (const [title, behaviour, reason] of lies)
    it(`refuse ${title}`, async () => {
      expect(await register(behaviour).done).to.deep.equal({ reason });
      expect(await login(behaviour)).to.deep.equal({ reason });
    });

  it('take origins of apps as texts', async () => {
    expect(await login({ origin: 'android:apk-key-hash:abc' })).to.deep.equal(GOOD);
  });

  it('refuse a signature that is wrong, empty, or of another key', async () => {
    const flip = (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => (at === 10 ? byte ^ 1 : byte)));
    for (const signature of [flip, () => Buffer.alloc(0), () => randomBytes(64)])
      expect(await login({ signature })).to.deep.equal({ reason: 'not_proved' });
    expect(await login({ signature: flip }, { algorithm: -8 })).to.deep.equal({ reason: 'not_proved' });
  });

  it('say what was shown, and leave the counter to others', async () => {
    const born = { backupEligible: true, counter: 9 };
    const shown = await login({ counter: 3, userVerified: false, backedUp: true }, born);
    expect(shown).to.deep.equal({ counter: 3, backupEligible: true, backedUp: true, userVerified: false });
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
    ['a point beside the curve', point(randomBytes(32), randomBytes(32)), 'algorithm'],
    ['the point of zeros', point(Buffer.alloc(32), Buffer.alloc(32)), 'algorithm'],
    ['another curve', point(randomBytes(48), randomBytes(48), 2), 'algorithm'],
    ['an algorithm we did not ask for', point(randomBytes(32), randomBytes(32), 1, -35), 'not_proved'],
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
    ['a key that ends early', ec.subarray(0, 20), 'not_proved'],
    ['a key with more behind it', Buffer.concat([ec, rsa]), 'not_proved'],
    ['no key', cbor(new Map()), 'not_proved'],
  ];
  for (const [title, key, reason] of keys)
    it(`refuse ${title}`, async () => {
      expect(await register({ key }).done).to.deep.equal({ reason });
    });

  it('refuse an id that is not the one signed, or is too long', async () => {
    const withOtherId = (answer: object) => ({ ...answer, id: 'b3RoZXI', rawId: 'b3RoZXI' });
    expect(await register({}, withOtherId).done).to.deep.equal({ reason: 'malformed' });
    expect(await register({ id: randomBytes(1_024) }).done).to.deep.equal({ reason: 'malformed' });
    expect(await register({ id: randomBytes(1_023) }).done).to.have.property('credentialId');
  });

  it('judge no attestation statement, and ask no address that stands in one', async () => {
    for (const format of ['packed', 'tpm', 'apple', 'android-safetynet', 'made-up']) {
      const statement = { format, values: new Map([['sig', randomBytes(64)]]) };
      expect(await register({ statement }).done).to.have.property('algorithm', -7);
    }
  });

  it('refuse what is no answer', async () => {
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
