import { logIn, withServer } from '../ground.ts';
import { load } from '../load.ts';
import { type Measure, takeTurns } from '../measure.ts';
import { rawHashesPerSecond } from '../raw.ts';
import { median, medianOf } from '../statistics.ts';
import { atLeast, type Row } from '../verdict.ts';

const IN_FLIGHT = 8;

/** Concurrent logins, against the number of hashes that the machine can do. */
export const login = (measure: Measure): Promise<readonly Row[]> =>
  withServer(IN_FLIGHT, async ({ server, users }) => {
    const logIns = (seconds: number) =>
      load({ port: server.port, seconds, rotates: false, clients: users.map(logIn) });

    measure.say('login: warming up');
    await logIns(2);
    const { product, reference } = await takeTurns(
      measure,
      'login',
      () => logIns(measure.seconds),
      () => rawHashesPerSecond(measure.seconds),
    );
    const refused = product.reduce((sum, { others }) => sum + others, 0);
    return [
      atLeast(0.95, {
        row: `login, ${IN_FLIGHT} in flight`,
        unit: '/s',
        product: medianOf(product, ({ perSecond }) => perSecond),
        reference: median(reference),
        against: 'raw scrypt',
        note: `${refused} refused`,
      }),
    ];
  });
