import type { Clock } from '../ports.ts';
import { dayOf, type Statistics } from '../statistics.ts';

/** Counts hits and misses of the cache in memory, for the statistics of the day. */
export interface CacheReadCounts {
  note(isHit: boolean): void;
  /** Writes what was counted since. What cannot be written waits, and what was written in part may be counted twice. */
  flush(): Promise<void>;
}

export const makeCacheReadCounts = ({
  clock,
  statistics,
}: {
  readonly clock: Clock;
  readonly statistics: Statistics;
}): CacheReadCounts => {
  let [cacheHits, cacheMisses] = [0, 0];
  return {
    note: (isHit) => {
      if (isHit) cacheHits += 1;
      else cacheMisses += 1;
    },
    flush: async () => {
      const reads = { cacheHits, cacheMisses };
      if (cacheHits + cacheMisses === 0) return;
      [cacheHits, cacheMisses] = [0, 0];
      try {
        await statistics.add(dayOf(clock.now()), reads);
      } catch (error) {
        cacheHits += reads.cacheHits;
        cacheMisses += reads.cacheMisses;
        throw error;
      }
    },
  };
};
