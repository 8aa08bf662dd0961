import { logIn, me, withServer } from '../ground.ts';
import { load } from '../load.ts';
import { type Measure, takeTurns } from '../measure.ts';
import { rawHashesPerSecond } from '../raw.ts';
import { median, medianOf } from '../statistics.ts';
import { atLeast, atMostTimes, type Row } from '../verdict.ts';
import { hammer } from '../wrk.ts';

const IN_FLIGHT = 8;

/** How logins and other requests slow each other down. */
export const meBesideLogins = (measure: Measure): Promise<readonly Row[]> =>
  withServer(IN_FLIGHT, async ({ server: { port }, user, users }) => {
    const { seconds, say } = measure;
    const read = () => hammer(port, me(user), seconds);
    const logIns = () => load({ port, seconds, rotates: false, clients: users.map(logIn) });

    say('me beside logins: warming up');
    await Promise.all([read(), logIns()]);
    const { product, reference } = await takeTurns(
      measure,
      'me beside logins',
      async () => {
        const [reads, logins] = await Promise.all([read(), logIns()]);
        return { reads, logins };
      },
      async () => ({ quiet: await read(), raw: await rawHashesPerSecond(seconds) }),
    );
    const refused = product.reduce((sum, { logins }) => sum + logins.others, 0);
    return [
      atLeast(0.8, {
        row: `GET /api/auth/me beside ${IN_FLIGHT} logins`,
        unit: '/s',
        product: medianOf(product, ({ reads }) => reads.perSecond),
        reference: medianOf(reference, ({ quiet }) => quiet.perSecond),
        against: 'quiet',
      }),
      atMostTimes(3, {
        row: '  its 99th percentile',
        unit: 'ms',
        product: medianOf(product, ({ reads }) => reads.p99),
        reference: medianOf(reference, ({ quiet }) => quiet.p99),
        against: 'quiet',
      }),
      atLeast(0.35, {
        row: '  the logins',
        unit: '/s',
        product: medianOf(product, ({ logins }) => logins.perSecond),
        reference: median(reference.map(({ raw }) => raw)),
        against: 'raw scrypt',
        note: `${refused} logins refused`,
      }),
    ];
  });
