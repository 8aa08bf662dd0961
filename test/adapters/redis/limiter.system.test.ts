import { limiterContract } from '../../contracts/limiter.ts';
import { openLimiters, redisForTests } from './open-redis.ts';

describe('The Redis limiter', () => {
  const url = redisForTests();
  limiterContract('Redis', () => openLimiters(url()));
});
