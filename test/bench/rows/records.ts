import { againstKoa } from '../against-koa.ts';
import { listRecords, post, USER, withRecords } from '../file-ground.ts';
import type { Measure } from '../measure.ts';
import type { Row } from '../verdict.ts';

const LISTED = 50;

const creation = post('/api/v1/meta', {
  filenameEnc: 'n'.repeat(200),
  size: 1_048_576,
  user: 'another',
  mimeType: 'application/octet-stream',
  dekEnc: 'd'.repeat(120),
  thumb: true,
});

/** Creation of records, each on disk before its answer, and lists of fifty records. */
export const records = (measure: Measure): Promise<readonly Row[]> =>
  withRecords(LISTED, {}, async ({ server: { port } }) => {
    const create = { port, clients: [creation], row: 'POST /api/v1/meta', goal: 0.21 };
    const list = {
      port,
      clients: [listRecords(USER)],
      row: `GET /api/v1/meta, ${LISTED} records`,
      goal: 0.12,
    };
    return [await againstKoa(measure, create), await againstKoa(measure, list)];
  });
