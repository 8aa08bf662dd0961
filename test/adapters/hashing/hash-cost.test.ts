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

describe('A cost that we bear', () => {
  it('is within the bounds of memory and work, which are those of the dearest', () => {
    fc.assert(
      fc.property(costs, (cost) => {
        expect(memoryLimit(cost)).to.be.at.most(258 * 2 ** 20);
        expect(isWithinWork(workOf(cost))).to.equal(true);
      }),
    );
    const dearest = { ln: 18, r: 8, p: 16 };
    expect([
      isBearable(dearest),
      isWithinWork(workOf(dearest)),
      isWithinWork(workOf(dearest) + 1),
    ]).to.deep.equal([true, true, false]);
  });
});
