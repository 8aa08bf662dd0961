import { limiterContract } from '../../contracts/limiter.ts';
import { openLimiters, redisForTests } from './opened.ts';

describe('The Redis limiter', () => {
  const url = redisForTests();
  limiterContract('Redis', () => openLimiters(url()));
});
