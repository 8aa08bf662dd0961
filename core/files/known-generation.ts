import { CoreError } from '../errors.ts';
import { cacheUnavailable } from './errors.ts';
import type { FilesPolicy } from './policy.ts';
import type { FilesPorts } from './ports.ts';

export const isDown = (error: unknown): boolean => error instanceof CoreError && error.kind === 'unavailable';

/** The cache generation as this process knows it; the port `cacheGeneration` reads and raises the stored one. See decision 0050. */
export const makeKnownGeneration = (
  deps: Pick<FilesPorts, 'clock' | 'cacheGeneration'> & { readonly policy: FilesPolicy },
) => {
  const { cacheGeneration, clock, policy } = deps;
  /** The highest known number, and when the last read began. */
  let latest: { readonly number: number; readonly at: number } | undefined;
  let pendingRead: Promise<number> | undefined;
  let raisedAt: number | undefined;

  const learn = (number: number, at: number): number => {
    if (latest !== undefined && number > latest.number) raisedAt = at;
    // Reads may end in another order than they began, and the stored number only grows.
    latest = { number: Math.max(number, latest?.number ?? 0), at };
    return latest.number;
  };

  // Absolute: after the clock was set back, a plain difference would be negative, and an old number trusted for too long.
  const isTrusted = (at: number): boolean => Math.abs(clock.now() - at) < policy.generationTrustedMs;

  const readGeneration = async (): Promise<number> => {
    const at = clock.now();
    const number = learn(await cacheGeneration.read(), at);
    // The number may be as old as the start of the read. Callers share a read, so after a slow read it would be too old for those
    // that joined late.
    if (!isTrusted(at)) throw cacheUnavailable();
    return number;
  };

  /** The generation as it was at most `generationTrustedMs` ago: a number if it is known, else a promise. */
  const current = (): number | Promise<number> => {
    if (latest !== undefined && isTrusted(latest.at)) return latest.number;
    pendingRead ??= readGeneration().finally(() => {
      pendingRead = undefined;
    });
    return pendingRead;
  };

  return {
    current,
    /** Invalidates everything cached so far. */
    outdate: async (): Promise<void> => {
      const at = clock.now();
      learn(await cacheGeneration.raise(), at);
      // `learn` sets this only if an earlier number was known.
      raisedAt = at;
    },
    /** False for `raiseShownMs` after this or another process raised the generation, so that health reports the raise. */
    isSteady: async (): Promise<boolean> => {
      try {
        await current();
      } catch (error) {
        // An unavailable store is reported by its own health check.
        if (!isDown(error)) throw error;
      }
      return raisedAt === undefined || Math.abs(clock.now() - raisedAt) >= policy.raiseShownMs;
    },
    /** Reads the generation again before the next use of the cache: others may have raised it while the cache was down. */
    distrust: (): void => {
      latest = latest && { ...latest, at: Number.NEGATIVE_INFINITY };
    },
  };
};
