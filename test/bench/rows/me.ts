import { askOnce } from '../connection.ts';
import { me, withBareKoa, withServer } from '../ground.ts';
import { type Measure, takeTurns } from '../measure.ts';
import { medianOf } from '../statistics.ts';
import { atLeast, type Row } from '../verdict.ts';
import { hammer } from '../wrk.ts';

/** A read by access token against a route that does nothing. */
export const readMe = (measure: Measure): Promise<readonly Row[]> =>
  withServer(0, async ({ server, user }) => {
    const client = me(user);
    const { length } = await askOnce(server.port, client);
    return withBareKoa(length, async (koaPort) => {
      measure.say('me: warming up');
      await hammer(server.port, client, 2);
      await hammer(koaPort, client, 2);
      const { product, reference } = await takeTurns(
        measure,
        'me',
        () => hammer(server.port, client, measure.seconds),
        () => hammer(koaPort, client, measure.seconds),
      );
      return [
        atLeast(0.4, {
          row: 'GET /api/auth/me, 64 connections',
          unit: '/s',
          product: medianOf(product, ({ perSecond }) => perSecond),
          reference: medianOf(reference, ({ perSecond }) => perSecond),
          against: 'a bare Koa route',
        }),
      ];
    });
  });
