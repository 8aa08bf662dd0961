import type { Clock, Limiter } from '../../../core/ports.ts';
import { budgetOf } from '../../../core/rate-limits.ts';
import { keyOf, makeMemoryCounts } from './memory-counts.ts';

/** The time between two deletions of old windows. */
const SWEEP_INTERVAL_MS = 1_000;

/** A rate limiter for this process alone. */
export const makeMemoryLimiter = (clock: Clock): Limiter => {
  const counts = makeMemoryCounts();
  let sweptAt = Number.NEGATIVE_INFINITY;

  return {
    take: async (bucket, key) => {
      const now = clock.now();
      // The distance may be negative, after the clock was set back.
      if (Math.abs(now - sweptAt) >= SWEEP_INTERVAL_MS) {
        counts.sweep(now);
        sweptAt = now;
      }
      const id = keyOf(bucket, key);
      const calls = new Map([[id, { count: 1, window: bucket.seconds * 1_000 }]]);
      // `add` returns every key. If the key were missing, its call would be refused.
      const { count, endsAt } = counts.add(calls, now).get(id) ?? {
        count: Number.POSITIVE_INFINITY,
        endsAt: now,
      };
      return budgetOf(bucket, count, endsAt - now);
    },
  };
};
