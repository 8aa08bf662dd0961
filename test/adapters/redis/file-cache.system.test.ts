import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { openRedisFileCache } from '../../../adapters/redis/file-cache.ts';
import { fileCacheContract } from '../../contracts/file-cache.ts';
import { fileCacheRaces } from '../../contracts/file-cache-races.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { PATIENT, type RedisServer, startRedis } from '../../support/servers/redis-server.ts';
import { until } from '../../support/until.ts';

describe('The Redis cache', () => {
  let server: RedisServer | undefined;
  let url = process.env.REDIS_URL ?? '';

  before(async () => {
    if (url !== '') return;
    server = await startRedis();
    url = server.url;
  });

  after(() => server?.end());

  const open = async () => {
    // Some characters that mean something in a pattern.
    const prefix = `gatehouse-test[a-z]*?\\:${randomUUID()}:`;
    const [cache, second] = [1, 2].map(() =>
      openRedisFileCache({ url, log: makeRecordingLog(), prefix, ...PATIENT }),
    );
    if (cache === undefined || second === undefined) throw new Error('not opened');
    await until(async () => (await cache.isUp()) && (await second.isUp()));
    return {
      cache,
      other: second,
      pass: async (seconds: number) => {
        await pause(seconds * 1_000);
      },
      close: async () => {
        await Promise.all([cache.close(), second.close()]);
      },
    };
  };

  fileCacheContract('Redis', open);
  fileCacheRaces('Redis', open);
});
