import { availableParallelism } from 'node:os';
import { coresBeside } from '../cpu.ts';
import { me, withServer } from '../ground.ts';
import { type Measure, takeTurns } from '../measure.ts';
import { startServer } from '../server.ts';
import { median, medianOf } from '../statistics.ts';
import { atLeast, type Row } from '../verdict.ts';
import { hammer } from '../wrk.ts';

const GOAL = 1.5;
/** Rounds to one of other rows: with all cores at work, what else the machine does falls on one side or the other. */
const TIMES = 5;
/** What the process that leads the workers takes, in cores. */
const LEADS = 0.2;

/** Two workers against one process, on the same store, asked for the same by the same load. */
export const workers = (measure: Measure): Promise<readonly Row[]> =>
  withServer(0, async ({ folder, server: one, user }) => {
    const two = await startServer(folder, 'accounts', { WORKERS: '2' });
    try {
      const client = me(user);
      measure.say('workers: warming up');
      await hammer(one.port, client, 2);
      await hammer(two.port, client, 2);
      const { product, reference } = await takeTurns(
        { ...measure, rounds: measure.rounds * TIMES },
        'workers',
        () => coresBeside(two.pid, () => hammer(two.port, client, measure.seconds)),
        () => hammer(one.port, client, measure.seconds),
      );
      const load = medianOf(product, ({ took }) => took.ownCores);
      const left = availableParallelism() - medianOf(product, ({ beside }) => beside);
      const row = atLeast(GOAL, {
        row: 'GET /api/auth/me, 2 workers',
        unit: '/s',
        product: medianOf(product, ({ took }) => took.perSecond),
        reference: medianOf(reference, ({ perSecond }) => perSecond),
        against: 'one process',
        ratio: median(
          product.map(({ took }, round) => took.perSecond / (reference[round]?.perSecond ?? Number.NaN)),
        ),
        note: `the load took ${load.toFixed(2)} cores; it and all else left ${left.toFixed(2)}; the ratio is the median of the rounds' own`,
      });
      // Two cannot do more than the cores let them, whatever they are.
      return [row.met || left >= GOAL + LEADS ? row : { ...row, measurable: false }];
    } finally {
      await two.close();
    }
  });
