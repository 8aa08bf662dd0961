import type { Bucket, Budget } from './ports.ts';

/** The budget of the nth call (`place`, from 1) in a window that ends in `millisecondsLeft`. */
export const budgetOf = ({ limit, seconds }: Bucket, place: number, millisecondsLeft: number): Budget => ({
  allowed: place <= limit,
  limit,
  remaining: Math.max(0, limit - place),
  reset: Math.min(seconds, Math.max(1, Math.ceil(millisecondsLeft / 1_000))),
});
