import type { Clock, Limiter } from '../../../core/ports.ts';
import { budgetOf } from '../../../core/rate-limits.ts';
import { keyOf, makeMemoryCounts } from './memory-counts.ts';

/** Milliseconds between two deletions of old windows. */
const TEND = 1_000;

/** A rate limiter for this process alone. */
export const makeMemoryLimiter = (clock: Clock): Limiter => {
  const counts = makeMemoryCounts();
  let tendedAt = Number.NEGATIVE_INFINITY;

  return {
    take: async (bucket, key) => {
      const now = clock.now();
      if (Math.abs(now - tendedAt) >= TEND) {
        counts.sweep(now);
        tendedAt = now;
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
