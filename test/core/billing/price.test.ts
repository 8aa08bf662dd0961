import { expect } from 'chai';
import fc from 'fast-check';
import { convertCents, isRate, majorUnits } from '../../../core/billing/exchange-rates.ts';

const cents = fc.integer({ min: 0, max: 10_000_000 });
/** Ten-thousandths of a złoty, as the bank publishes a rate. */
const rates = fc.integer({ min: 1, max: 99_999_999 });
const textOf = (rate: number) => `${Math.floor(rate / 10_000)}.${String(rate % 10_000).padStart(4, '0')}`;

describe('A converted price', () => {
  it('equals the exact product of whole numbers, rounded half up', () => {
    fc.assert(
      fc.property(cents, rates, (amount, rate) => {
        const exact = BigInt(amount) * BigInt(rate);
        const integer = exact / 10_000n;
        const expected = exact % 10_000n >= 5_000n ? integer + 1n : integer;
        expect(convertCents(amount, textOf(rate))).to.equal(Number(expected));
      }),
      { numRuns: 5_000 },
    );
  });

  it('is rounded up at one half, unlike in floating point', () => {
    for (const [amount, rate, expected] of [
      [1, '0.5', 1],
      [1, '0.4999', 0],
      [3, '0.5', 2],
      [100, '1.005', 101],
      [100, '1.0049', 100],
      [50, '2.01', 101],
      [999, '3.6521', 3_648],
      [4_990, '4', 19_960],
      [0, '3.6521', 0],
      [29, '0.5', 15],
      [115, '1.1', 127],
    ] as const) {
      expect(convertCents(amount, rate), `${amount} x ${rate}`).to.equal(expected);
    }
  });

  it('does not depend on trailing zeros of the rate', () => {
    fc.assert(
      fc.property(cents, rates, fc.nat(8), (amount, rate, zeros) => {
        const text = textOf(rate);
        expect(convertCents(amount, text + '0'.repeat(zeros))).to.equal(convertCents(amount, text));
      }),
    );
  });

  it('has at most two decimal places', () => {
    fc.assert(
      fc.property(cents, (amount) => {
        const json = JSON.stringify(majorUnits(amount));
        expect(json).to.match(/^\d+(\.\d{1,2})?$/);
        expect(Math.round(Number(json) * 100)).to.equal(amount);
      }),
    );
  });

  it('requires a plain positive decimal rate and whole cents', () => {
    for (const rate of ['3.6521', '4', '0.0001', '4.00']) expect(isRate(rate), rate).to.equal(true);
    for (const rate of [
      '',
      '0',
      '0.000',
      '-1',
      '+1',
      '1e3',
      '3,65',
      '.5',
      '5.',
      ' 4',
      '4 ',
      '0x4',
      'NaN',
      'Infinity',
      '4'.repeat(10),
    ]) {
      expect(isRate(rate), rate).to.equal(false);
    }
    for (const [amount, rate] of [
      [1.5, '4'],
      [-1, '4'],
      [Number.NaN, '4'],
      [2 ** 53, '4'],
      [1, 'x'],
    ] as const) {
      expect(() => convertCents(amount, rate)).to.throw(RangeError, 'Not an amount of cents and a rate.');
    }
  });
});
