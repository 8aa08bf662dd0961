import { expect } from 'chai';
import fc from 'fast-check';
import { makeDigest } from '../../../adapters/crypto/digest.ts';
import { makeRandom } from '../../../adapters/crypto/random.ts';
import {
  afterWrongAttempt,
  type CodePurpose,
  codeDigest,
  grouped,
  matchingDigest,
  newCrockford,
  newDigits,
  readCrockford,
  readTyped,
} from '../../../core/accounts/codes.ts';

const random = makeRandom();

/** A generator that returns these numbers, four bytes each, and fails if it is called more often. */
const randomOf = (...numbers: readonly number[]) => {
  const remaining = [...numbers];
  return {
    bytes: () => {
      const number = remaining.shift();
      if (number === undefined) throw new Error('No number is left.');
      return Uint8Array.of(number >>> 24, number >>> 16, number >>> 8, number);
    },
    text: () => '',
  };
};

/** The chi-square statistic of counts against equal counts: about their number minus one for a fair source. */
const chiSquare = (counts: readonly number[]): number => {
  const fair = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - fair) ** 2 / fair, 0);
};

describe('A numeric code', () => {
  it('has six digits, including leading zeros', () => {
    expect(newDigits(randomOf(0))).to.equal('000000');
    expect(newDigits(randomOf(42))).to.equal('000042');
    expect(newDigits(randomOf(999_999))).to.equal('999999');
    expect(newDigits(randomOf(1_000_001))).to.equal('000001');
  });

  it('skips random numbers that would make some codes likelier', () => {
    expect(newDigits(randomOf(4_293_999_999))).to.equal('999999');
    expect(newDigits(randomOf(4_294_000_000, 0xff_ff_ff_ff, 7))).to.equal('000007');
  });

  it('contains every digit equally often at each position', () => {
    const codes = Array.from({ length: 20_000 }, () => newDigits(random));
    for (let place = 0; place < 6; place += 1) {
      const counts = Array(10).fill(0);
      for (const code of codes) counts[Number(code[place])] += 1;
      // Nine degrees of freedom: beyond 50 once in ten million runs.
      expect(chiSquare(counts)).to.be.below(50);
    }
  });
});

describe('A code of letters and digits', () => {
  it('contains no letter that is easily confused with another character', () => {
    const codes = Array.from({ length: 2_000 }, () => newCrockford(random, 10)).join('');
    expect(codes).to.match(/^[0-9A-HJKMNP-TV-Z]{20000}$/);
    const counts = new Map<string, number>();
    for (const letter of codes) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    expect(counts.size).to.equal(32);
    // Thirty-one degrees of freedom: beyond 100 once in a thousand million runs.
    expect(chiSquare([...counts.values()])).to.be.below(100);
  });

  it('is formatted in groups', () => {
    expect(grouped('ABCDEFGHJK', 5)).to.equal('ABCDE-FGHJK');
    expect(grouped('ABCDEFG', 5)).to.equal('ABCDE-FG');
  });

  it('is parsed in any case, with dashes and with letters that look like digits', () => {
    const codeBytes = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 10, maxLength: 10 });
    fc.assert(
      fc.property(codeBytes, fc.boolean(), (bytes, lower) => {
        const code = newCrockford({ bytes: () => Uint8Array.from(bytes), text: () => '' }, 10);
        const formatted = grouped(code, 5)
          .replaceAll('0', 'O')
          .replaceAll('1', lower ? 'I' : 'l');
        expect(readCrockford(lower ? formatted.toLowerCase() : formatted)).to.equal(code);
      }),
    );
  });

  it('is parsed with blanks and dashes around and between the groups, not with other characters', () => {
    const blanks = [' ', '  ', '\t', '\r\n', '\u00a0', '\u2009', '\u202f', '\u3000'];
    const invisible = ['\u200b', '\ufeff', '\u00ad', '\u2060'];
    const dashes = ['-', '\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2212', '\ufe63', '\uff0d'];
    const between = [...blanks, ...invisible, ...dashes, ' \u2013 '];
    for (const text of between) {
      expect(readCrockford(`${text}ABCDE${text}FGHJK${text}`), JSON.stringify(text)).to.equal('ABCDEFGHJK');
      expect(readTyped(`${text}123${text}456${text}`), JSON.stringify(text)).to.equal('123456');
    }
    for (const text of ['ABCDE.FGHJK', 'ABCDE_FGHJK', 'ABCDE,FGHJK', 'ABCDE\0FGHJK', 'ＡBCDEFGHJK'])
      expect(readCrockford(text)).to.not.equal('ABCDEFGHJK');
  });
});

describe('The stored digest of a code', () => {
  const formerKey = new Uint8Array(32).fill(1);
  const currentKey = new Uint8Array(32).fill(2);
  const digest = makeDigest([currentKey]);
  const purposes: readonly CodePurpose[] = ['verification', 'reset', 'recovery'];

  it('matches only the code, the purpose and the user it was made for', () => {
    const stored = codeDigest(digest, 'verification', 'ada', '123456');
    const match = (purpose: CodePurpose, user: string, code: string) =>
      matchingDigest(digest, purpose, user, code, [stored]);

    expect(match('verification', 'ada', '123456')).to.equal(stored);
    expect(match('verification', 'ada', '123457')).to.equal(undefined);
    expect(match('verification', 'ken', '123456')).to.equal(undefined);
    for (const purpose of purposes.slice(1)) expect(match(purpose, 'ada', '123456')).to.equal(undefined);
  });

  it('reveals neither the code nor that two users have equal codes', () => {
    const digests = purposes.flatMap((purpose) =>
      ['ada', 'ken'].map((user) => codeDigest(digest, purpose, user, '123456')),
    );
    expect(new Set(digests).size).to.equal(digests.length);
    for (const text of digests)
      expect(text)
        .to.match(/^[\w-]{43}$/)
        .and.not.contain('123456');
    expect(codeDigest(makeDigest([formerKey]), 'reset', 'ada', '123456')).to.not.be.oneOf(digests);
  });

  it('matches under the former hash key while the key is rotated', () => {
    const stored = codeDigest(makeDigest([formerKey]), 'reset', 'ada', 'ABCDEFGHJK');
    const find = (...keys: readonly Uint8Array[]) =>
      matchingDigest(makeDigest(keys), 'reset', 'ada', 'ABCDEFGHJK', ['other', stored]);
    expect(find(currentKey, formerKey)).to.equal(stored);
    expect(find(currentKey)).to.equal(undefined);
  });
});

describe('A wrong attempt at a code', () => {
  it('is counted, and deletes the code if it is the fifth', () => {
    const tries = [];
    let code = afterWrongAttempt({ digest: 'digest', expiresAt: 7, tries: 0 }, 5);
    while (code !== null) {
      tries.push(code.tries);
      code = afterWrongAttempt(code, 5);
    }
    expect(tries).to.deep.equal([1, 2, 3, 4]);
    expect(afterWrongAttempt(null, 5)).to.equal(null);
  });
});
