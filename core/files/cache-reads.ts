import { isoDay } from '../iso-times.ts';
import type { FilesPorts } from './ports.ts';

/** Counts hits and misses of the cache in memory, for the statistics of the day. */
export const makeCacheReadCounts = ({ clock, statistics }: Pick<FilesPorts, 'clock' | 'statistics'>) => {
  let cacheHits = 0;
  let cacheMisses = 0;
  return {
    note: (isHit: boolean): void => {
      if (isHit) cacheHits += 1;
      else cacheMisses += 1;
    },
    /** Writes the counts since the last flush. After a failure the next flush writes them again, even if they were stored. */
    flush: async (): Promise<void> => {
      const reads = { cacheHits, cacheMisses };
      if (cacheHits + cacheMisses === 0) return;
      cacheHits = 0;
      cacheMisses = 0;
      try {
        await statistics.add(isoDay(clock.now()), reads);
      } catch (error) {
        cacheHits += reads.cacheHits;
        cacheMisses += reads.cacheMisses;
        throw error;
      }
    },
  };
};

export type CacheReadCounts = ReturnType<typeof makeCacheReadCounts>;
