import type { Random } from './ports.ts';

/** Milliseconds before the next attempt: `first`, doubled after each attempt, a fifth more or less, up to `longest`. */
export const backOff = (
  random: Pick<Random, 'bytes'>,
  { first, longest }: { readonly first: number; readonly longest: number },
  attempts: number,
): number => {
  const [byte = 0] = random.bytes(1);
  const jitter = 0.8 + (0.4 * byte) / 255;
  return Math.round(Math.min(first * 2 ** attempts * jitter, longest));
};
