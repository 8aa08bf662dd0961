import { expect } from 'chai';
import { ROUNDS } from '../../../support/rounds.ts';
import { BEGINNINGS, type Deed, makeModel } from './model.ts';
import { type Choice, inEveryOrder, runInOrder } from './schedule.ts';

type Doing = readonly [deed: Deed, who: string];

const PAIRS: readonly (readonly [Doing, Doing])[] = [
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

/** Programs that hold each other up may do so for ever: more switches find nothing new. */
const BOUNDS = { switches: ROUNDS > 2 ? 6 : 2, deaths: 1 };

const said = (choices: readonly Choice[]) =>
  choices.map(({ actor, dies }) => `${actor}${dies ? ' dies' : ''}`).join(', ');

describe('Two at once on one login key, in every order of their calls and whichever dies', function () {
  this.timeout(300_000 + 1_000 * ROUNDS);
  for (const doings of PAIRS) {
    it(`leave it to one account: ${doings.map((doing) => doing.join(' ').trim()).join(' and ')}`, async () => {
      // Of two that do the same it makes no difference which one begins.
      const areAlike = new Set(doings.map(String)).size === 1;
      let count = 0;
      for (const [name, beginning] of Object.entries(BEGINNINGS)) {
        count += await inEveryOrder(async (choose) => {
          const model = await makeModel(beginning);
          const made: Choice[] = [];
          const choosing = (choices: readonly Choice[]) => {
            const choice = choose(areAlike && made.length === 0 ? choices.slice(0, 1) : choices);
            made.push(choice);
            return choice;
          };
          const programs = doings.map(([deed, who]) => model.does(deed, who));
          try {
            await runInOrder(programs, choosing, BOUNDS, model.expectSound);
            await model.expectOpen();
          } catch (error) {
            if (error instanceof Error) error.message += `, with ${name}, in the order ${said(made)}`;
            throw error;
          }
        });
      }
      expect(count).to.be.above(50);
    });
  }
});
