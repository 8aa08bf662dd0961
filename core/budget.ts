import type { Bucket, Budget } from './ports.ts';

/** The budget of the nth call (`place`, from 1) in a window that ends in `left` milliseconds. */
export const budgetOf = ({ limit, seconds }: Bucket, place: number, left: number): Budget => ({
  allowed: place <= limit,
  limit,
  remaining: Math.max(0, limit - place),
  reset: Math.min(seconds, Math.max(1, Math.ceil(left / 1_000))),
});
