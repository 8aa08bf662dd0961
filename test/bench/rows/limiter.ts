import { withRedis } from '../file-ground.ts';
import { limits } from '../limits.ts';
import type { Measure } from '../measure.ts';
import { median } from '../statistics.ts';
import { atLeast, atMostMore, type Row } from '../verdict.ts';

const IN_FLIGHT = 64;

/** Rate limits counted in Redis, against their bare script. */
export const limiting = ({ rounds, seconds, say }: Measure): Promise<readonly Row[]> =>
  withRedis(async ({ url }) => {
    say('limiter: calls and bare scripts in turns');
    const rates = await limits({ url, seconds: seconds / 2, rounds, inFlight: IN_FLIGHT });
    const against = 'its script over a bare client';
    return [
      atLeast(0.5, {
        row: `limiter on Redis, ${IN_FLIGHT} in flight`,
        unit: '/s',
        product: median(rates.taken),
        reference: median(rates.scripted),
        against,
        note: `${rates.trips.toFixed(2)} round trips a call`,
      }),
      atMostMore(300, {
        row: '  a call that is alone',
        unit: 'us',
        product: median(rates.takenAlone),
        reference: median(rates.scriptedAlone),
        against,
        note: `${rates.tripsAlone.toFixed(2)} round trips a call`,
      }),
    ];
  });
