import { fileCacheContract, type OpenedCache } from '../../contracts/file-cache.ts';
import { fileCacheRaces } from '../../contracts/file-cache-races.ts';
import { limiterContract } from '../../contracts/limiter.ts';
import { type RedisCluster, startRedisCluster } from '../../support/servers/redis-cluster.ts';
import { needsRedis, openCaches, openLimiters } from './open-redis.ts';

describe('A Redis cluster of three primaries', () => {
  let cluster: RedisCluster;

  needsRedis('a Redis cluster');
  before(async () => {
    cluster = await startRedisCluster({ replicas: 0 });
  });
  after(async () => {
    for (const { close } of idleCaches) await close();
    await cluster?.end();
  });

  /** Idle caches for reuse, since connecting to each server of a cluster takes longer than most tests. */
  const idleCaches: OpenedCache[] = [];
  const open = async (): Promise<OpenedCache> => {
    const caches = idleCaches.pop() ?? (await openCaches(cluster.address));
    return {
      ...caches,
      close: async () => {
        for (const { command } of cluster.primaries) await command('FLUSHALL');
        idleCaches.push(caches);
      },
    };
  };

  fileCacheContract('a Redis cluster', open);
  fileCacheRaces('a Redis cluster', open);
  limiterContract('a Redis cluster', () => openLimiters(cluster.address));
});
