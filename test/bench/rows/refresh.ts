import { askOnce } from '../connection.ts';
import { refresh, withBareKoa, withServer } from '../ground.ts';
import { type LoadAnswer, load } from '../load.ts';
import { type Measure, takeTurns } from '../measure.ts';
import { rawSyncsPerSecond } from '../raw.ts';
import type { Client } from '../request.ts';
import { median, medianOf } from '../statistics.ts';
import { atLeast, type Row } from '../verdict.ts';

const IN_FLIGHT = 64;

/** Loads a server with clients that each continue with their last refresh token. */
const makeRefreshing = (port: number, firstRequests: readonly Client[]) => {
  let clients = firstRequests;
  return async (seconds: number): Promise<LoadAnswer> => {
    const answer = await load({ port, seconds, rotates: true, clients });
    if (answer.others > 0) throw new Error(`${answer.others} refreshes were not answered with 200.`);
    clients = answer.clients;
    return answer;
  };
};

/** Rotation of refresh tokens, each on disk before its answer. */
export const refreshing = (measure: Measure): Promise<readonly Row[]> =>
  withServer(IN_FLIGHT, async ({ folder, server, user, users }) => {
    const clients = users.map(refresh);
    const { length } = await askOnce(server.port, refresh(user));
    return withBareKoa(length, async (koaPort) => {
      const rotate = makeRefreshing(server.port, clients);
      const ask = makeRefreshing(koaPort, clients);
      const { seconds, say } = measure;

      say('refresh: warming up');
      await rotate(2);
      await ask(2);
      const { product, reference } = await takeTurns(
        measure,
        'refresh',
        () => rotate(seconds),
        async () => ({ koa: await ask(seconds), syncs: await rawSyncsPerSecond(folder, seconds) }),
      );
      const perSecond = medianOf(product, (answer) => answer.perSecond);
      const ownCores = (answers: readonly LoadAnswer[]) =>
        medianOf(answers, (answer) => answer.ownCores).toFixed(2);
      const cost = `${ownCores(product)} of a core, of the reference's ${ownCores(reference.map(({ koa }) => koa))}`;
      return [
        atLeast(0.17, {
          row: `refresh, ${IN_FLIGHT} in flight`,
          unit: '/s',
          product: perSecond,
          reference: medianOf(reference, ({ koa }) => koa.perSecond),
          against: 'a bare Koa route',
          note: `its clients took ${cost}`,
        }),
        atLeast(0.7, {
          row: '  the same',
          unit: '/s',
          product: perSecond,
          reference: median(reference.map(({ syncs }) => syncs)),
          against: 'raw fdatasync',
        }),
      ];
    });
  });
