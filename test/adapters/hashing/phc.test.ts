import { expect } from 'chai';
import fc from 'fast-check';
import { formatHash, parseHash } from '../../../adapters/hashing/phc.ts';

const number = fc.integer({ min: 1, max: 999_999_999 });
const hash = fc.record({
  form: fc.constantFrom('scrypt' as const, 'firebase-scrypt' as const),
  cost: fc.record({ ln: number, r: number, p: number }),
  salt: fc.uint8Array({ minLength: 8, maxLength: 128 }),
  key: fc.uint8Array({ minLength: 16, maxLength: 128 }),
});
const VALID = '$scrypt$ln=15,r=8,p=3$AAECAwQFBgcICQoLDA0ODw$hLa9p2rbxhEUj4jSZdhs0It/IYTbkjT1TKUtxNy1HYI';

describe('A PHC string of scrypt', () => {
  it('is parsed to the value that was formatted', () => {
    fc.assert(
      fc.property(hash, (stored) => {
        expect(parseHash(formatHash(stored))).to.deep.equal(stored);
      }),
    );
  });

  it('contains cost, salt and key', () => {
    const parsed = parseHash(VALID);
    expect(parsed?.cost).to.deep.equal({ ln: 15, r: 8, p: 3 });
    expect(parsed?.salt).to.deep.equal(Uint8Array.from({ length: 16 }, (_, at) => at));
    expect(parsed?.key).to.have.length(32);
  });

  it('has exactly one spelling', () => {
    const edit = fc.tuple(fc.nat(VALID.length), fc.nat(2), fc.string({ unit: 'binary', maxLength: 2 }));
    fc.assert(
      fc.property(edit, ([at, removed, inserted]) => {
        const text = VALID.slice(0, at) + inserted + VALID.slice(at + removed);
        const parsed = parseHash(text);
        if (parsed !== undefined) expect(formatHash(parsed)).to.equal(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is not parsed from any other text, and no text causes an exception', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => parseHash(text) === undefined));
    const invalidTexts = [
      VALID.replace('scrypt', 'argon2id'),
      VALID.replace('ln=15', 'ln=015'),
      VALID.replace('ln=15', 'ln=0'),
      VALID.replace('ln=15', 'ln=1e1'),
      VALID.replace('ln=15,r=8', 'r=8,ln=15'),
      VALID.replace('p=3', 'p=-3'),
      VALID.replace('Dw$', 'Dx$'),
      VALID.replace('Dw$', 'Dw==$'),
      VALID.replace('/', '_'),
      `${VALID}\n`,
      `${VALID}$`,
      ` ${VALID}`,
      VALID.slice(0, VALID.lastIndexOf('$')),
    ];
    for (const text of invalidTexts) expect(parseHash(text), text).to.equal(undefined);
  });

  it('has a salt of 8 to 128 bytes and a key of 16 to 128', () => {
    const cost = { ln: 15, r: 8, p: 3 };
    const isRead = (salt: number, key: number) =>
      parseHash(
        formatHash({ form: 'scrypt', cost, salt: new Uint8Array(salt), key: new Uint8Array(key) }),
      ) !== undefined;
    expect([isRead(8, 16), isRead(128, 128)]).to.deep.equal([true, true]);
    expect([isRead(7, 32), isRead(129, 32), isRead(16, 15), isRead(16, 129)].includes(true)).to.equal(false);
  });
});
