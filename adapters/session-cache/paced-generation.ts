import type { CacheGeneration } from '../../core/files/ports.ts';

/** The time between the beginnings of two raises. */
const RAISE_INTERVAL_MS = 1_000;

/**
 * Limits this process to one raise of the generation a second, since each raise empties the cache for everybody. Calls
 * share the next raise, never a raise under way: it may have begun before the caller's change, and entries that were cached in
 * between would stay valid.
 */
export const pacedGeneration = ({ read, raise }: CacheGeneration): CacheGeneration => {
  let next: Promise<number> | undefined;
  let lastAt = Number.NEGATIVE_INFINITY;

  const raiseInTurn = async (): Promise<number> => {
    const wait = Math.max(0, lastAt + RAISE_INTERVAL_MS - performance.now());
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
