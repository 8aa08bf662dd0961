import { expect } from 'chai';
import fc from 'fast-check';
import { isBearable, isWithinWork, memoryLimit, topUpOf } from '../../../adapters/hashing/cost.ts';
import type { Cost } from '../../../adapters/hashing/phc.ts';

const workOf = ({ ln, r, p }: Cost) => 2 ** ln * r * p;
const STANDARD = { ln: 15, r: 8, p: 3 };

const costs = (leastLn: number) =>
  fc
    .record({
      ln: fc.integer({ min: leastLn, max: 20 }),
      r: fc.integer({ min: 1, max: 32 }),
      p: fc.integer({ min: 1, max: 16 }),
    })
    .filter(isBearable);

describe('What makes up for a cheaper hash', () => {
  it('is half of a lane and two more for a hash of half a lane', () => {
    expect(topUpOf({ ln: 14, r: 8, p: 1 }, STANDARD)).to.deep.equal([
      { ln: 15, r: 8, p: 2 },
      { ln: 14, r: 8, p: 1 },
    ]);
  });

  it('is nothing for a hash as dear, or dearer', () => {
    for (const cost of [STANDARD, { ln: 14, r: 8, p: 6 }, { ln: 16, r: 8, p: 2 }, { ln: 17, r: 8, p: 1 }])
      expect(topUpOf(cost, STANDARD)).to.deep.equal([]);
  });

  it('is the rest of the work, in runs that need no more memory than ours', () => {
    fc.assert(
      fc.property(costs(1), costs(8), (cost, standard) => {
        const runs = topUpOf(cost, standard);
        for (const run of runs) expect(memoryLimit(run)).to.be.at.most(memoryLimit(standard));
        for (const run of runs) expect(isBearable(run)).to.equal(true);
        expect(isWithinWork(workOf(cost))).to.equal(true);
        if (workOf(cost) > workOf(standard)) {
          expect(runs).to.deep.equal([]);
          return;
        }
        const whole = [cost, ...runs].reduce((sum, run) => sum + workOf(run), 0);
        expect(whole / workOf(standard)).to.be.within(1 - 1 / 32, 1);
      }),
    );
  });
});
