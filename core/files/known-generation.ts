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
  let latest: { readonly number: number; readonly at: number } | undefined;
  let asking: Promise<number> | undefined;
  let raisedAt: number | undefined;

  const learn = (number: number, at: number): number => {
    if (latest !== undefined && number > latest.number) raisedAt = at;
    // Answers may come in another order than their questions, and the number only grows.
    latest = { number: Math.max(number, latest?.number ?? 0), at };
    return latest.number;
  };

  // Absolute: after the clock was set back, a plain difference would be negative, and an old answer trusted for too long.
  const isTrusted = (at: number): boolean => Math.abs(clock.now() - at) < policy.generationTrustedMs;

  const ask = async (): Promise<number> => {
    const at = clock.now();
    const number = learn(await cacheGeneration.read(), at);
    // Callers share a read, and its number may be as old as its start: after a slow read, too old for callers that joined late.
    if (!isTrusted(at)) throw cacheUnavailable();
    return number;
  };

  /** The generation as it was at most a second ago: at once if it is known, else a promise. */
  const current = (): number | Promise<number> => {
    if (latest !== undefined && isTrusted(latest.at)) return latest.number;
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };

  return {
    current,
    /** Invalidates everything cached so far. */
    outdate: async (): Promise<void> => {
      const at = clock.now();
      learn(await cacheGeneration.raise(), at);
      // `learn` notes a raise only if an earlier number was known.
      raisedAt = at;
    },
    /** False for some seconds after this or another process raised the generation: health reports the raise that long. */
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
