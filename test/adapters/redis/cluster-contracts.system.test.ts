import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { openRedisFileCache } from '../../../adapters/redis/file-cache.ts';
import { fileCacheContract } from '../../contracts/file-cache.ts';
import { fileCacheRaces } from '../../contracts/file-cache-races.ts';
import { limiterContract } from '../../contracts/limiter.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { type RedisCluster, startRedisCluster } from '../../support/servers/redis-cluster.ts';
import { canStartRedis, PATIENT } from '../../support/servers/redis-server.ts';
import { until } from '../../support/until.ts';
import { openLimiters } from './opened-limiters.ts';

describe('A Redis cluster of three primaries', () => {
  let cluster: RedisCluster;

  before(async function () {
    if (canStartRedis()) {
      cluster = await startRedisCluster({ replicas: 0 });
      return;
    }
    console.log('Left out: a Redis cluster. It needs redis-server on the PATH.');
    this.skip();
  });

  after(async () => {
    await cluster?.end();
  });

  const open = async () => {
    // Some characters that mean something in a pattern.
    const prefix = `gatehouse-test[a-z]*?\\:${randomUUID()}:`;
    const [cache, other] = [1, 2].map(() =>
      openRedisFileCache({ url: cluster.address, log: makeRecordingLog(), prefix, ...PATIENT }),
    );
    if (cache === undefined || other === undefined) throw new Error('not opened');
    await until(async () => (await cache.isUp()) && (await other.isUp()));
    return {
      cache,
      other,
      pass: async (seconds: number) => {
        await pause(seconds * 1_000);
      },
      close: async () => {
        await Promise.all([cache.close(), other.close()]);
      },
    };
  };

  fileCacheContract('a Redis cluster', open);
  fileCacheRaces('a Redis cluster', open);
  limiterContract('a Redis cluster', () => openLimiters(cluster.address));
});
