import { availableParallelism } from 'node:os';
import { coresBeside } from '../cpu.ts';
import { me, withServer } from '../ground.ts';
import { type Measure, takeTurns } from '../measure.ts';
import { startServer } from '../server.ts';
import { median, medianOf } from '../statistics.ts';
import { atLeast, type Row } from '../verdict.ts';
import { hammer } from '../wrk.ts';

const GOAL = 1.5;
/** Multiplies the rounds: with all cores in use, other load affects single rounds. */
const TIMES = 5;
/** The cores that the primary process of the workers uses. */
const PRIMARY_CORES = 0.2;

/** Two workers against one process, on the same store and under the same load. */
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
      const load = medianOf(product, ({ result }) => result.ownCores);
      const left = availableParallelism() - medianOf(product, ({ beside }) => beside);
      const row = atLeast(GOAL, {
        row: 'GET /api/auth/me, 2 workers',
        unit: '/s',
        product: medianOf(product, ({ result }) => result.perSecond),
        reference: medianOf(reference, ({ perSecond }) => perSecond),
        against: 'one process',
        ratio: median(
          product.map(({ result }, round) => result.perSecond / (reference[round]?.perSecond ?? Number.NaN)),
        ),
        note: `the load took ${load.toFixed(2)} cores; it and all else left ${left.toFixed(2)}; the ratio is the median of the rounds' own`,
      });
      // Without enough cores, two workers cannot reach the goal.
      return [row.met || left >= GOAL + PRIMARY_CORES ? row : { ...row, measurable: false }];
    } finally {
      await two.close();
    }
  });
