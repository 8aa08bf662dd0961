import { expect } from 'chai';
import fc from 'fast-check';
import { isBearable, isWithinWork, memoryLimit, workOf } from '../../../adapters/hashing/hash-cost.ts';

const costs = fc
  .record({
    ln: fc.integer({ min: 1, max: 20 }),
    r: fc.integer({ min: 1, max: 32 }),
    p: fc.integer({ min: 1, max: 16 }),
  })
  .filter(isBearable);

describe('An accepted hash cost', () => {
  it('stays within the limits of memory and work, which the costliest accepted cost reaches', () => {
    fc.assert(
      fc.property(costs, (cost) => {
        expect(memoryLimit(cost)).to.be.at.most(258 * 2 ** 20);
        expect(isWithinWork(workOf(cost))).to.equal(true);
      }),
    );
    const costliest = { ln: 18, r: 8, p: 16 };
    expect([
      isBearable(costliest),
      isWithinWork(workOf(costliest)),
      isWithinWork(workOf(costliest) + 1),
    ]).to.deep.equal([true, true, false]);
  });
});
