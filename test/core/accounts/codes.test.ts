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

/** A generator that gives these numbers, four bytes each, and fails when it is asked for more. */
const giving = (...numbers: readonly number[]) => {
  const remaining = [...numbers];
  return {
    bytes: () => {
      const number = remaining.shift();
      if (number === undefined) throw new Error('asked once too often');
      return Uint8Array.of(number >>> 24, number >>> 16, number >>> 8, number);
    },
    text: () => '',
  };
};

/** How far counts are from all being the same: about their number less one when they come from a fair source. */
const chiSquare = (counts: readonly number[]): number => {
  const fair = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - fair) ** 2 / fair, 0);
};

describe('A code of digits', () => {
  it('has six of them, zeros in front included', () => {
    expect(newDigits(giving(0))).to.equal('000000');
    expect(newDigits(giving(42))).to.equal('000042');
    expect(newDigits(giving(999_999))).to.equal('999999');
    expect(newDigits(giving(1_000_001))).to.equal('000001');
  });

  it('takes no number that would make some codes likelier than others', () => {
    expect(newDigits(giving(4_293_999_999))).to.equal('999999');
    expect(newDigits(giving(4_294_000_000, 0xff_ff_ff_ff, 7))).to.equal('000007');
  });

  it('has each digit in each place equally often', () => {
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
  it('has no letter that is taken for another', () => {
    const codes = Array.from({ length: 2_000 }, () => newCrockford(random, 10)).join('');
    expect(codes).to.match(/^[0-9A-HJKMNP-TV-Z]{20000}$/);
    const counts = new Map<string, number>();
    for (const letter of codes) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    expect(counts.size).to.equal(32);
    // Thirty-one degrees of freedom: beyond 100 once in a thousand million runs.
    expect(chiSquare([...counts.values()])).to.be.below(100);
  });

  it('is shown in groups', () => {
    expect(grouped('ABCDEFGHJK', 5)).to.equal('ABCDE-FGHJK');
    expect(grouped('ABCDEFG', 5)).to.equal('ABCDE-FG');
  });

  it('is read back whatever the case, the dashes and the letters that look like digits', () => {
    const codeBytes = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 10, maxLength: 10 });
    fc.assert(
      fc.property(codeBytes, fc.boolean(), (bytes, lower) => {
        const code = newCrockford({ bytes: () => Uint8Array.from(bytes), text: () => '' }, 10);
        const shown = grouped(code, 5)
          .replaceAll('0', 'O')
          .replaceAll('1', lower ? 'I' : 'l');
        expect(readCrockford(lower ? shown.toLowerCase() : shown)).to.equal(code);
      }),
    );
  });

  it('is read back whatever blanks and dashes stand around and between', () => {
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

describe('What is stored of a code', () => {
  const formerKey = new Uint8Array(32).fill(1);
  const currentKey = new Uint8Array(32).fill(2);
  const digest = makeDigest([currentKey]);
  const purposes: readonly CodePurpose[] = ['verification', 'reset', 'recovery'];

  it('opens the one purpose of the one user it was made for', () => {
    const stored = codeDigest(digest, 'verification', 'ada', '123456');
    const match = (purpose: CodePurpose, user: string, code: string) =>
      matchingDigest(digest, purpose, user, code, [stored]);

    expect(match('verification', 'ada', '123456')).to.equal(stored);
    expect(match('verification', 'ada', '123457')).to.equal(undefined);
    expect(match('verification', 'ken', '123456')).to.equal(undefined);
    for (const purpose of purposes.slice(1)) expect(match(purpose, 'ada', '123456')).to.equal(undefined);
  });

  it('does not tell the code, nor that two users have the same', () => {
    const all = purposes.flatMap((purpose) =>
      ['ada', 'ken'].map((user) => codeDigest(digest, purpose, user, '123456')),
    );
    expect(new Set(all).size).to.equal(all.length);
    for (const text of all)
      expect(text)
        .to.match(/^[\w-]{43}$/)
        .and.not.contain('123456');
    expect(codeDigest(makeDigest([formerKey]), 'reset', 'ada', '123456')).to.not.be.oneOf(all);
  });

  it('is recognised while the hash key is rotated', () => {
    const stored = codeDigest(makeDigest([formerKey]), 'reset', 'ada', 'ABCDEFGHJK');
    const find = (...keys: readonly Uint8Array[]) =>
      matchingDigest(makeDigest(keys), 'reset', 'ada', 'ABCDEFGHJK', ['other', stored]);
    expect(find(currentKey, formerKey)).to.equal(stored);
    expect(find(currentKey)).to.equal(undefined);
  });
});

describe('A wrong attempt', () => {
  it('is counted, and the last one allowed deletes the code', () => {
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
