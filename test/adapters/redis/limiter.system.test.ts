import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { openRedisLimiter } from '../../../adapters/redis/limiter.ts';
import { makeMemoryLimiter } from '../../../adapters/sqlite/limits/memory-limiter.ts';
import { makeSettableClock } from '../../contracts/leases.ts';
import { limiterContract } from '../../contracts/limiter.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { PATIENT, type RedisServer, startRedis } from '../../support/servers/redis-server.ts';
import { forkLimiter } from '../sqlite/limits/limiter-child.ts';

const CHILD = fileURLToPath(new URL('./take-many.js', import.meta.url));

describe('The Redis limiter', () => {
  let server: RedisServer | undefined;
  let url = process.env.REDIS_URL ?? '';

  before(async () => {
    if (url !== '') return;
    server = await startRedis();
    url = server.url;
  });

  after(() => server?.end());

  limiterContract('Redis', async () => {
    const prefix = `gatehouse-test:${randomUUID()}:`;
    const clock = makeSettableClock();
    const log = makeRecordingLog();
    const open = async () => {
      const limiter = openRedisLimiter({
        url,
        log,
        clock,
        prefix,
        fallback: makeMemoryLimiter(clock),
        ...PATIENT,
      });
      await limiter.tried;
      return limiter;
    };
    const [limiter, twin] = [await open(), await open()];
    const children: { end(): Promise<void> }[] = [];
    return {
      limiter,
      twin,
      clock,
      fork: async () => {
        const child = await forkLimiter(CHILD, [url, prefix, String(clock.now())]);
        children.push(child);
        return child;
      },
      close: async () => {
        await Promise.all(children.map((child) => child.end()));
        await Promise.all([limiter.close(), twin.close()]);
        expect(log.lines).to.deep.equal([]);
      },
    };
  });
});
