import { limiterContract } from '../../contracts/limiter.ts';
import { type RedisServer, startRedis } from '../../support/servers/redis-server.ts';
import { openLimiters } from './opened-limiters.ts';

describe('The Redis limiter', () => {
  let server: RedisServer | undefined;
  let url = process.env.REDIS_URL ?? '';

  before(async () => {
    if (url !== '') return;
    server = await startRedis();
    url = server.url;
  });

  after(() => server?.end());

  limiterContract('Redis', () => openLimiters(url));
});
