import type { Random } from './ports.ts';

/**
 * Milliseconds between a failed attempt and the next: `first`, doubled for each attempt before the failed one, with a random
 * 20 % more or less, at most `longest`.
 */
export const backOff = (
  random: Pick<Random, 'bytes'>,
  { first, longest }: { readonly first: number; readonly longest: number },
  earlierAttempts: number,
): number => {
  const [byte = 0] = random.bytes(1);
  const jitter = 0.8 + (0.4 * byte) / 255;
  return Math.round(Math.min(first * 2 ** earlierAttempts * jitter, longest));
};
