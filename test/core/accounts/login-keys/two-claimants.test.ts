import { expect } from 'chai';
import { ROUNDS } from '../../../support/rounds.ts';
import { BEGINNINGS, makeModel, type Operation } from './model.ts';
import { type Choice, inEveryOrder, runInOrder } from './schedule.ts';

type UserOperation = readonly [operation: Operation, user: string];

const PAIRS: readonly (readonly [UserOperation, UserOperation])[] = [
  [
    ['add', 'ada'],
    ['add', 'bob'],
  ],
  [
    ['add', 'ada'],
    ['add', 'ada'],
  ],
  [
    ['add', 'bob'],
    ['drop', 'ada'],
  ],
  [
    ['add', 'bob'],
    ['delete', 'ada'],
  ],
  [
    ['add', 'bob'],
    ['touch', 'ada'],
  ],
  [
    ['add', 'bob'],
    ['sign in', ''],
  ],
  [
    ['add', 'ada'],
    ['drop', 'ada'],
  ],
  [
    ['add', 'ada'],
    ['delete', 'ada'],
  ],
  [
    ['sign in', ''],
    ['sign in', ''],
  ],
  [
    ['sign in', ''],
    ['drop', 'ada'],
  ],
];

/** Two programs can make each other retry for ever; more switches cover nothing new. */
const BOUNDS = { switches: ROUNDS > 2 ? 6 : 2, deaths: 1 };

const formatOrder = (choices: readonly Choice[]) =>
  choices.map(({ actor, dies }) => `${actor}${dies ? ' dies' : ''}`).join(', ');

describe('Two concurrent programs on one login key, in every order of their calls and deaths', function () {
  this.timeout(300_000 + 1_000 * ROUNDS);
  for (const operations of PAIRS) {
    it(`leave one owner: ${operations.map((pair) => pair.join(' ').trim()).join(' and ')}`, async () => {
      // Two equal programs need only one order of their first calls.
      const areAlike = new Set(operations.map(String)).size === 1;
      let count = 0;
      for (const [name, beginning] of Object.entries(BEGINNINGS)) {
        count += await inEveryOrder(async (choose) => {
          const model = await makeModel(beginning);
          const made: Choice[] = [];
          const chooseNext = (choices: readonly Choice[]) => {
            const choice = choose(areAlike && made.length === 0 ? choices.slice(0, 1) : choices);
            made.push(choice);
            return choice;
          };
          const programs = operations.map(([operation, user]) => model.programOf(operation, user));
          try {
            await runInOrder(programs, chooseNext, BOUNDS, model.expectSound);
            await model.expectOpen();
          } catch (error) {
            if (error instanceof Error) error.message += `, with ${name}, in the order ${formatOrder(made)}`;
            throw error;
          }
        });
      }
      expect(count).to.be.above(50);
    });
  }
});
