import { setTimeout as pause } from 'node:timers/promises';
import { askOnce } from '../connection.ts';
import { ENTRY_BYTES, KEY_BYTES, post, readRecord, USER, withRecords, withRedis } from '../file-ground.ts';
import type { Measure } from '../measure.ts';
import { probe } from '../probe.ts';
import { rawSetsMilliseconds } from '../raw.ts';
import { peakMegabytes } from '../resident.ts';
import { atMost, atMostMore, atMostTimes, type Row } from '../verdict.ts';

/** 450 MB in full; the short run is for a quick look. */
const COUNTS = { full: 736_000, short: 20_000 };

const syncing = post('/api/v1/e/meta/sync', { user: USER, type: 'allOne' });

/** The sync of a user's records into Redis, and its effect on other requests. */
export const sync = ({ full, say }: Measure): Promise<readonly Row[]> =>
  withRedis(({ url, command }) => {
    const count = full ? COUNTS.full : COUNTS.short;
    say(`sync: importing ${count} records`);
    return withRecords(count, { REDIS_URL: url }, async ({ server: { pid, port }, ids: [id = ''] }) => {
      const once = async () => {
        const startedAt = performance.now();
        const body = await askOnce(port, syncing);
        if (!body.includes(`"synced":${count},"skipped":0`)) throw new Error(`The sync answered ${body}.`);
        return performance.now() - startedAt;
      };
      const client = readRecord(id);
      say('sync: warming up');
      await probe(port, client, () => pause(1_000));

      say('sync: under way');
      const { result: syncMs, longest } = await probe(port, client, once);
      await command('FLUSHALL');
      say('sync: the bare loop');
      const bare = await rawSetsMilliseconds({ url, count, bytes: ENTRY_BYTES });
      say('sync: reads without it');
      const quiet = await probe(port, client, () => pause(syncMs));
      const megabytes = Math.round((count * (ENTRY_BYTES + KEY_BYTES)) / 2 ** 20);
      return [
        atMostTimes(1.6, {
          row: `sync of ${count} records, ${megabytes} MB, to Redis`,
          unit: 'ms',
          product: syncMs,
          reference: bare,
          against: 'a loop of pipelined SETs',
        }),
        atMost(200, { row: '  peak memory', unit: 'MB', product: peakMegabytes(pid) }),
        atMostMore(25, {
          row: '  longest wait of a read',
          unit: 'ms',
          product: longest,
          reference: quiet.longest,
          against: 'quiet',
        }),
      ];
    });
  });
