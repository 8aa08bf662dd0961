import { expect } from 'chai';
import { calculateJwkThumbprint } from 'jose';
import { WrongFile } from '../../../adapters/files/watched-file.ts';
import {
  makeSigningKeySet,
  parseSigningKeySet,
  rotateSigningKeys,
  signingKeyState,
} from '../../../adapters/jwt/signing-keys.ts';

const NOW = Date.UTC(2026, 0, 1);
const SECONDS = NOW / 1000;
const rule = { tokenSeconds: 900, delaySeconds: 600 };

describe('A signing key set', () => {
  it('starts with one key that signs at once and does not expire', async () => {
    const [key, ...others] = makeSigningKeySet(NOW + 999).keys;
    expect(others).to.be.empty;
    expect(key).to.include({ kty: 'EC', crv: 'P-256', iat: SECONDS, nbf: SECONDS });
    expect(key).to.not.have.property('exp');
    expect(key?.kid).to.equal(await calculateJwkThumbprint({ ...key }));
  });

  it('is parsed to the value that was written', () => {
    const set = rotateSigningKeys(makeSigningKeySet(NOW), NOW, rule);
    expect(parseSigningKeySet(JSON.stringify(set))).to.deep.equal(set);
  });

  it('receives a delayed key, and keeps the old key for the lifetime of its tokens and 10 min', () => {
    const first = makeSigningKeySet(NOW);
    const second = rotateSigningKeys(first, NOW + 5000, rule);
    expect(second.keys).to.have.length(2);
    expect(second.keys[1]).to.include({ iat: SECONDS + 5, nbf: SECONDS + 605 });
    expect(second.keys[0]).to.deep.equal({ ...first.keys[0], exp: SECONDS + 605 + 900 + 600 });
    expect(first.keys[0]).to.not.have.property('exp');
  });

  it('receives a key that signs at once if rotated without delay', () => {
    const { keys } = rotateSigningKeys(makeSigningKeySet(NOW), NOW, { ...rule, delaySeconds: 0 });
    expect(keys[1]?.nbf).to.equal(SECONDS);
    expect(keys[0]?.exp).to.equal(SECONDS + 1500);
  });

  it('does not extend an old key at the next rotation, and drops the key after its expiry', () => {
    const second = rotateSigningKeys(makeSigningKeySet(NOW), NOW, rule);
    const end = second.keys[0]?.exp ?? 0;
    const third = rotateSigningKeys(second, NOW + 60_000, rule);
    expect(third.keys).to.have.length(3);
    expect(third.keys[0]?.exp).to.equal(end);
    const kids = (now: number) => rotateSigningKeys(second, now, rule).keys.map((key) => key.kid);
    expect(kids(end * 1000 - 1)).to.include(second.keys[0]?.kid);
    expect(kids(end * 1000)).to.not.include(second.keys[0]?.kid);
  });

  it('starts and expires a waiting key early if the next key signs at once', () => {
    const waiting = rotateSigningKeys(makeSigningKeySet(NOW), NOW, rule);
    const { keys } = rotateSigningKeys(waiting, NOW + 60_000, { ...rule, delaySeconds: 0 });
    expect(keys.map((key) => key.nbf)).to.deep.equal([SECONDS, SECONDS + 60, SECONDS + 60]);
    expect(keys.map((key) => key.exp)).to.deep.equal([SECONDS + 1560, SECONDS + 1560, undefined]);
  });

  const [jwk] = makeSigningKeySet(NOW).keys;
  const [otherKey] = makeSigningKeySet(NOW).keys;
  if (jwk === undefined || otherKey === undefined) throw new Error('No key was made.');
  const withKeys = (...keys: unknown[]) => JSON.stringify({ keys });
  const invalidFiles: Readonly<Record<string, string>> = {
    'no text': '',
    'a truncated text': withKeys(jwk).slice(0, -5),
    'a list instead of a set': JSON.stringify([jwk]),
    'no key': withKeys(),
    'a kid that is not text': withKeys({ ...jwk, kid: 7 }),
    'an empty kid': withKeys({ ...jwk, kid: '' }),
    'the same key twice, without kid': withKeys({ ...jwk, kid: undefined }, { ...jwk, kid: undefined }),
    'a kid twice': withKeys(jwk, { ...otherKey, kid: jwk.kid }),
    'a public key': withKeys({ ...jwk, d: undefined }),
    'a key on another curve': withKeys({ ...jwk, crv: 'P-384' }),
    'a key of another type': withKeys({ ...jwk, kty: 'RSA' }),
    'a truncated coordinate': withKeys({ ...jwk, x: jwk.x.slice(1) }),
    'a padded coordinate': withKeys({ ...jwk, y: `${jwk.y}=` }),
    'an iat in text': withKeys({ ...jwk, iat: '2026-01-01' }),
    'an nbf that is null': withKeys({ ...jwk, nbf: null }),
    'a time in text': withKeys({ ...jwk, exp: '2026-01-01' }),
  };
  for (const [defect, text] of Object.entries(invalidFiles)) {
    it(`is refused with ${defect}, and the error contains no key`, () => {
      expect(() => parseSigningKeySet(text))
        .to.throw(WrongFile)
        .with.property('message')
        .that.does.not.include(jwk.d.slice(0, 8));
    });
  }

  describe('of ordinary JWKs', () => {
    /** A JWK as other tools write it: with more members, without times, and without kid if `kid` is undefined. */
    const ordinary = ({ x, y, d }: typeof jwk, kid?: string) => ({
      ...{ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', key_ops: ['sign'], x, y, d },
      ...(kid !== undefined && { kid }),
    });
    const current = (text: string, now = NOW) => {
      const set = parseSigningKeySet(text);
      return set.keys.filter((key) => signingKeyState(set, key, now) === 'current').map(({ kid }) => kid);
    };

    it('may be a single JWK without kid, which signs at once under its thumbprint', async () => {
      const text = JSON.stringify(ordinary(jwk));
      expect(parseSigningKeySet(text).keys).to.have.length(1);
      expect(current(text, 0)).to.deep.equal([await calculateJwkThumbprint({ ...jwk })]);
    });

    it('signs with a key from its iat if nbf is missing, or else with the last key without times', () => {
      const [a, b, dated] = [ordinary(jwk, 'a'), ordinary(otherKey, 'b'), { ...jwk, nbf: undefined }];
      expect(current(withKeys(a, b))).to.deep.equal(['b']);
      expect(current(withKeys(b, a))).to.deep.equal(['a']);
      expect(current(withKeys(dated, b))).to.deep.equal([jwk.kid]);
      expect(current(withKeys(dated, b), NOW - 1_000)).to.deep.equal(['b']);
    });

    it('is followed by a new key after rotation, and kept for the lifetime of its tokens', () => {
      const set = rotateSigningKeys(parseSigningKeySet(JSON.stringify(ordinary(jwk, 'a'))), NOW, rule);
      expect(set.keys[0]).to.include({ kid: 'a', nbf: 0, exp: SECONDS + 600 + 900 + 600 });
      expect(set.keys[0]).to.not.have.property('iat');
      const text = JSON.stringify(set);
      expect(parseSigningKeySet(text)).to.deep.equal(set);
      expect(current(text, NOW + 599_000)).to.deep.equal(['a']);
      expect(current(text, NOW + 600_000)).to.deep.equal([set.keys[1]?.kid]);
    });
  });
});
