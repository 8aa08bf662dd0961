import type { Clock, Limiter, Log } from '../../core/index.ts';
import type { Config } from '../config.ts';
import { systemClock } from '../crypto/clock.ts';
import { openRedisLimiter } from '../redis/limiter.ts';
import { requireRedisUrl } from '../redis/redis-url.ts';
import { makeLimiter } from '../sqlite/limits/limiter.ts';
import { makeMemoryLimiter } from '../sqlite/limits/memory-limiter.ts';

export interface OpenedLimiter extends Limiter {
  /** Resolves when it counts over all processes, or has found that it cannot yet, in little more than a second. */
  readonly tried: Promise<void>;
  close(): Promise<void> | void;
}

/**
 * Counts over all processes: of a Redis where one is set, else of this machine. A clock that an embedding app brings is
 * counted by; without one it is Redis's own, or this machine's. Throws `ConfigError`.
 */
export const openLimiter = (
  { dataDir, redisUrl }: Pick<Config, 'dataDir' | 'redisUrl'>,
  { clock, log }: { readonly clock: Clock | undefined; readonly log: Log },
): OpenedLimiter => {
  const ours = clock ?? systemClock;
  if (redisUrl === null) {
    return { ...makeLimiter({ folder: dataDir, clock: ours, log }), tried: Promise.resolve() };
  }
  requireRedisUrl(redisUrl);
  return openRedisLimiter({ url: redisUrl, log, clock, fallback: makeMemoryLimiter(ours) });
};
