import { withRedis } from '../file-ground.ts';
import { limits } from '../limits.ts';
import type { Measure } from '../measure.ts';
import { median } from '../statistics.ts';
import { atLeast, atMostMore, type Row } from '../verdict.ts';

const IN_FLIGHT = 64;

/** Limits counted in Redis, against nothing but their script. */
export const limiting = ({ rounds, seconds, say }: Measure): Promise<readonly Row[]> =>
  withRedis(async ({ url }) => {
    say('limiter: calls and bare scripts in turns');
    const measured = await limits({ url, seconds: seconds / 2, rounds, inFlight: IN_FLIGHT });
    const against = 'its script over a bare client';
    return [
      atLeast(0.5, {
        row: `limiter on Redis, ${IN_FLIGHT} in flight`,
        unit: '/s',
        product: median(measured.taken),
        reference: median(measured.scripted),
        against,
        note: `${measured.trips.toFixed(2)} round trips a call`,
      }),
      atMostMore(300, {
        row: '  a call that is alone',
        unit: 'us',
        product: median(measured.takenAlone),
        reference: median(measured.scriptedAlone),
        against,
        note: `${measured.tripsAlone.toFixed(2)} round trips a call`,
      }),
    ];
  });
