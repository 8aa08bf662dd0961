import type { CacheEpoch } from '../../core/files/ports.ts';

/** Milliseconds from the beginning of one raise to that of the next. */
const PACE = 1_000;

/**
 * The epoch, raised by this process once a second at the most: each raise empties the cache for everybody. Calls that
 * come before a raise begins share it; one that has begun may be too early for what they know of.
 */
export const pacedEpoch = ({ read, raise }: CacheEpoch): CacheEpoch => {
  let next: Promise<number> | undefined;
  let lastAt = Number.NEGATIVE_INFINITY;

  const raiseInTurn = async (): Promise<number> => {
    const wait = Math.max(0, lastAt + PACE - performance.now());
    await new Promise((resolve) => setTimeout(resolve, wait));
    next = undefined;
    lastAt = performance.now();
    return raise();
  };

  return {
    read,
    raise: () => {
      next ??= raiseInTurn();
      return next;
    },
  };
};
