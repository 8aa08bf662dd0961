import { startMongo } from '../../support/servers/mongo-server.ts';
import { againstKoa } from '../against-koa.ts';
import { withRedis } from '../file-ground.ts';
import { me, withServer } from '../ground.ts';
import type { Measure } from '../measure.ts';
import type { Row } from '../verdict.ts';

const reading = (
  measure: Measure,
  row: string,
  goal: number,
  settings: Readonly<Record<string, string>>,
): Promise<readonly Row[]> =>
  withServer(
    0,
    async ({ server, user }) => [
      await againstKoa(measure, { port: server.port, clients: [me(user)], row, goal }),
    ],
    settings,
  );

/** Reads with an access token, against a bare route. */
export const readMe = (measure: Measure): Promise<readonly Row[]> =>
  reading(measure, 'GET /api/auth/me, 64 connections', 0.4, {});

/** Reads with an access token on MongoDB and Redis, where the session is looked up once a second. */
export const readMeOnServers = async (measure: Measure): Promise<readonly Row[]> => {
  const mongo = await startMongo();
  try {
    return await withRedis(({ url }) =>
      reading(measure, 'GET /api/auth/me on MongoDB and Redis', 0.35, {
        MONGODB_URL: mongo.url('bench'),
        REDIS_URL: url,
      }),
    );
  } finally {
    await mongo.end();
  }
};
