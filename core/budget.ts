import type { Bucket, Budget } from './ports.ts';

/** What a call is told that was the so-manieth (from 1) of its window, which ends in so many milliseconds. */
export const budgetOf = ({ limit, seconds }: Bucket, place: number, left: number): Budget => ({
  allowed: place <= limit,
  limit,
  remaining: Math.max(0, limit - place),
  reset: Math.min(seconds, Math.max(1, Math.ceil(left / 1_000))),
});
