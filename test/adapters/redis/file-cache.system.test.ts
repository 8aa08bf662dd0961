import { fileCacheContract } from '../../contracts/file-cache.ts';
import { fileCacheRaces } from '../../contracts/file-cache-races.ts';
import { openCaches, redisForTests } from './open-redis.ts';

describe('The Redis cache', () => {
  const url = redisForTests();
  fileCacheContract('Redis', () => openCaches(url()));
  fileCacheRaces('Redis', () => openCaches(url()));
});
