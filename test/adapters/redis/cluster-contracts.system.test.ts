import { fileCacheContract } from '../../contracts/file-cache.ts';
import { fileCacheRaces } from '../../contracts/file-cache-races.ts';
import { limiterContract } from '../../contracts/limiter.ts';
import { type RedisCluster, startRedisCluster } from '../../support/servers/redis-cluster.ts';
import { needsRedis, openCaches, openLimiters } from './opened.ts';

describe('A Redis cluster of three primaries', () => {
  let cluster: RedisCluster;

  needsRedis('a Redis cluster');
  before(async () => {
    cluster = await startRedisCluster({ replicas: 0 });
  });
  after(() => cluster?.end());

  fileCacheContract('a Redis cluster', () => openCaches(cluster.address));
  fileCacheRaces('a Redis cluster', () => openCaches(cluster.address));
  limiterContract('a Redis cluster', () => openLimiters(cluster.address));
});
