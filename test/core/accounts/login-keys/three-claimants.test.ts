import { expect } from 'chai';
import fc from 'fast-check';
import { ROUNDS } from '../../../support/rounds.ts';
import { BEGINNINGS, makeModel, type Operation } from './model.ts';
import { runInOrder } from './schedule.ts';

const OPERATIONS: readonly Operation[] = ['add', 'add', 'add', 'drop', 'delete', 'touch', 'sign in'];

const operationOfUser = fc.tuple(fc.constantFrom(...OPERATIONS), fc.constantFrom('ada', 'bob', 'cyd'));
const BOUNDS = { switches: 60, deaths: 2 };

describe('Three to five concurrent programs on one login key, in random orders of their calls', function () {
  this.timeout(300_000 + 1_000 * ROUNDS);

  it('leave the key to one account if some programs die', async () => {
    let added = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.values(BEGINNINGS)),
        fc.array(operationOfUser, { minLength: 3, maxLength: 5 }),
        fc.infiniteStream(fc.nat(1_000)),
        async (beginning, operations, numbers) => {
          const model = await makeModel(beginning);
          const programs = operations.map(([operation, user]) => model.programOf(operation, user));
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

  it('give the key to one of three accounts, and return `taken` to the others', async () => {
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat(1_000)), async (numbers) => {
        const model = await makeModel(BEGINNINGS.nothing);
        const outcomes = await runInOrder(
          ['ada', 'bob', 'cyd'].map((user) => model.programOf('add', user)),
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
