import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { openRedisLimiter } from '../../../adapters/redis/limiter.ts';
import { makeMemoryLimiter } from '../../../adapters/sqlite/limits/memory-limiter.ts';
import { makeSettableClock } from '../../contracts/leases.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { PATIENT } from '../../support/servers/redis-server.ts';
import { forkLimiter } from '../sqlite/limits/limiter-child.ts';

const CHILD = fileURLToPath(new URL('./take-many.js', import.meta.url));

/** Limiters on one Redis, in this process and in others, as the contract asks for them. */
export const openLimiters = async (url: string) => {
  const prefix = `gatehouse-test:${randomUUID()}:`;
  const clock = makeSettableClock();
  const log = makeRecordingLog();
  const open = async () => {
    const fallback = makeMemoryLimiter(clock);
    const limiter = openRedisLimiter({ url, log, clock, prefix, fallback, ...PATIENT });
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
};
