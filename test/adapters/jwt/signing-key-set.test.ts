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
  it('begins with one key that signs at once and without end', async () => {
    const [key, ...others] = makeSigningKeySet(NOW + 999).keys;
    expect(others).to.be.empty;
    expect(key).to.include({ kty: 'EC', crv: 'P-256', iat: SECONDS, nbf: SECONDS });
    expect(key).to.not.have.property('exp');
    expect(key?.kid).to.equal(await calculateJwkThumbprint({ ...key }));
  });

  it('is read as it was written', () => {
    const set = rotateSigningKeys(makeSigningKeySet(NOW), NOW, rule);
    expect(parseSigningKeySet(JSON.stringify(set))).to.deep.equal(set);
  });

  it('gets a key that waits, and keeps the old one for the life of its tokens and 10 min', () => {
    const first = makeSigningKeySet(NOW);
    const second = rotateSigningKeys(first, NOW + 5000, rule);
    expect(second.keys).to.have.length(2);
    expect(second.keys[1]).to.include({ iat: SECONDS + 5, nbf: SECONDS + 605 });
    expect(second.keys[0]).to.deep.equal({ ...first.keys[0], exp: SECONDS + 605 + 900 + 600 });
    expect(first.keys[0]).to.not.have.property('exp');
  });

  it('gets a key that signs at once when no delay is wanted', () => {
    const { keys } = rotateSigningKeys(makeSigningKeySet(NOW), NOW, { ...rule, delaySeconds: 0 });
    expect(keys[1]?.nbf).to.equal(SECONDS);
    expect(keys[0]?.exp).to.equal(SECONDS + 1500);
  });

  it('does not give an old key more time at the next rotation, and drops it when its time is up', () => {
    const second = rotateSigningKeys(makeSigningKeySet(NOW), NOW, rule);
    const end = second.keys[0]?.exp ?? 0;
    const third = rotateSigningKeys(second, NOW + 60_000, rule);
    expect(third.keys).to.have.length(3);
    expect(third.keys[0]?.exp).to.equal(end);
    const kids = (now: number) => rotateSigningKeys(second, now, rule).keys.map((key) => key.kid);
    expect(kids(end * 1000 - 1)).to.include(second.keys[0]?.kid);
    expect(kids(end * 1000)).to.not.include(second.keys[0]?.kid);
  });

  it('lets no waiting key sign after one that came in at once', () => {
    const waiting = rotateSigningKeys(makeSigningKeySet(NOW), NOW, rule);
    const { keys } = rotateSigningKeys(waiting, NOW + 60_000, { ...rule, delaySeconds: 0 });
    expect(keys.map((key) => key.nbf)).to.deep.equal([SECONDS, SECONDS + 60, SECONDS + 60]);
    expect(keys.map((key) => key.exp)).to.deep.equal([SECONDS + 1560, SECONDS + 1560, undefined]);
  });

  const [good] = makeSigningKeySet(NOW).keys;
  const [otherKey] = makeSigningKeySet(NOW).keys;
  if (good === undefined || otherKey === undefined) throw new Error('No key was made.');
  const withKeys = (...keys: unknown[]) => JSON.stringify({ keys });
  const wrong: Readonly<Record<string, string>> = {
    'no text': '',
    'half a text': withKeys(good).slice(0, -5),
    'no set': JSON.stringify([good]),
    'no key': withKeys(),
    'a kid that is no text': withKeys({ ...good, kid: 7 }),
    'an empty kid': withKeys({ ...good, kid: '' }),
    'the same key twice, without kid': withKeys({ ...good, kid: undefined }, { ...good, kid: undefined }),
    'a kid twice': withKeys(good, { ...otherKey, kid: good.kid }),
    'a public key': withKeys({ ...good, d: undefined }),
    'a key on another curve': withKeys({ ...good, crv: 'P-384' }),
    'a key of another type': withKeys({ ...good, kty: 'RSA' }),
    'a coordinate cut short': withKeys({ ...good, x: good.x.slice(1) }),
    'a padded coordinate': withKeys({ ...good, y: `${good.y}=` }),
    'an iat in text': withKeys({ ...good, iat: '2026-01-01' }),
    'an nbf that is null': withKeys({ ...good, nbf: null }),
    'a time in text': withKeys({ ...good, exp: '2026-01-01' }),
  };
  for (const [what, text] of Object.entries(wrong)) {
    it(`is not read from a file with ${what}, and the error quotes none of it`, () => {
      expect(() => parseSigningKeySet(text))
        .to.throw(WrongFile)
        .with.property('message')
        .that.does.not.include(good.d.slice(0, 8));
    });
  }

  describe('of ordinary JWKs', () => {
    /** As other tools write them: with more members, without times, and without kid where `kid` is undefined. */
    const ordinary = ({ x, y, d }: typeof good, kid?: string) => ({
      ...{ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', key_ops: ['sign'], x, y, d },
      ...(kid !== undefined && { kid }),
    });
    const current = (text: string, now = NOW) => {
      const set = parseSigningKeySet(text);
      return set.keys.filter((key) => signingKeyState(set, key, now) === 'current').map(({ kid }) => kid);
    };

    it('may be one alone, without kid, which then is its thumbprint; it signs at once', async () => {
      const text = JSON.stringify(ordinary(good));
      expect(parseSigningKeySet(text).keys).to.have.length(1);
      expect(current(text, 0)).to.deep.equal([await calculateJwkThumbprint({ ...good })]);
    });

    it('without nbf signs from its iat on, and without both before all others, the last of those alike', () => {
      const [a, b, dated] = [ordinary(good, 'a'), ordinary(otherKey, 'b'), { ...good, nbf: undefined }];
      expect(current(withKeys(a, b))).to.deep.equal(['b']);
      expect(current(withKeys(b, a))).to.deep.equal(['a']);
      expect(current(withKeys(dated, b))).to.deep.equal([good.kid]);
      expect(current(withKeys(dated, b), NOW - 1_000)).to.deep.equal(['b']);
    });

    it('is followed by the key of a rotation, and stays for the life of its tokens', () => {
      const set = rotateSigningKeys(parseSigningKeySet(JSON.stringify(ordinary(good, 'a'))), NOW, rule);
      expect(set.keys[0]).to.include({ kid: 'a', nbf: 0, exp: SECONDS + 600 + 900 + 600 });
      expect(set.keys[0]).to.not.have.property('iat');
      const text = JSON.stringify(set);
      expect(parseSigningKeySet(text)).to.deep.equal(set);
      expect(current(text, NOW + 599_000)).to.deep.equal(['a']);
      expect(current(text, NOW + 600_000)).to.deep.equal([set.keys[1]?.kid]);
    });
  });
});
