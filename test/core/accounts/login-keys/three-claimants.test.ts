import { expect } from 'chai';
import fc from 'fast-check';
import { ROUNDS } from '../../../support/rounds.ts';
import { BEGINNINGS, type Deed, makeModel } from './model.ts';
import { runInOrder } from './schedule.ts';

const DEEDS: readonly Deed[] = ['add', 'add', 'add', 'drop', 'delete', 'touch', 'sign in'];

const doing = fc.tuple(fc.constantFrom(...DEEDS), fc.constantFrom('ada', 'bob', 'cyd'));
const BOUNDS = { switches: 60, deaths: 2 };

describe('Three and more at once on one login key, in a random order of their calls', function () {
  this.timeout(300_000 + 1_000 * ROUNDS);

  it('leave it to one account, whichever of them die', async () => {
    let added = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.values(BEGINNINGS)),
        fc.array(doing, { minLength: 3, maxLength: 5 }),
        fc.infiniteStream(fc.nat(1_000)),
        async (beginning, doings, numbers) => {
          const model = await makeModel(beginning);
          const programs = doings.map(([deed, who]) => model.does(deed, who));
          const outcomes = await runInOrder(
            programs,
            (choices) => choices[numbers.next().value % choices.length] ?? { actor: 0, dies: false },
            BOUNDS,
            model.expectSound,
          );
          added += outcomes.filter((outcome) => outcome === 'added').length;
          await model.expectOpen();
        },
      ),
      { numRuns: 50 * ROUNDS },
    );
    expect(added).to.be.above(10);
  });

  it('give it to one of three accounts that want it, and tell the others', async () => {
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat(1_000)), async (numbers) => {
        const model = await makeModel(BEGINNINGS.nothing);
        const outcomes = await runInOrder(
          ['ada', 'bob', 'cyd'].map((who) => model.does('add', who)),
          (choices) => choices[numbers.next().value % choices.length] ?? { actor: 0, dies: false },
          { switches: 60, deaths: 0 },
          model.expectSound,
        );
        expect(outcomes.toSorted()).to.deep.equal(['added', 'taken', 'taken']);
        expect(await model.owners()).to.deep.equal([['ada', 'bob', 'cyd'][outcomes.indexOf('added')]]);
      }),
      { numRuns: 50 * ROUNDS },
    );
  });
});
