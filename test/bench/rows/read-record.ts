import { againstKoa } from '../against-koa.ts';
import { readRecord, withRecords, withRedis } from '../file-ground.ts';
import type { Measure } from '../measure.ts';
import type { Row } from '../verdict.ts';

/** All are cached before the measurement. */
const RECORDS = 1_000;

/** Reads of a thousand cached records on the embedded store. */
export const readingEmbedded = (measure: Measure): Promise<readonly Row[]> =>
  withRecords(RECORDS, {}, async ({ server: { port }, ids }) => {
    const row = 'GET /api/v1/meta/{fileId}, embedded';
    return [await againstKoa(measure, { port, clients: ids.map(readRecord), row, goal: 0.45 })];
  });

/** Reads of a thousand cached records on Redis. */
export const readingRedis = (measure: Measure): Promise<readonly Row[]> =>
  withRedis(({ url }) =>
    withRecords(RECORDS, { REDIS_URL: url }, async ({ server: { port }, ids }) => {
      const row = 'GET /api/v1/meta/{fileId}, Redis';
      return [await againstKoa(measure, { port, clients: ids.map(readRecord), row, goal: 0.55 })];
    }),
  );
