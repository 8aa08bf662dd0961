import { CoreError } from '../errors.ts';
import { cacheUnavailable } from './errors.ts';
import type { FilesPolicy } from './policy.ts';
import type { FilesPorts } from './ports.ts';

/** Whether a part cannot be used just now. */
export const isDown = (error: unknown): boolean => error instanceof CoreError && error.kind === 'unavailable';

/** What this process knows of the cache's epoch. See decision 0050. */
export const makeKnownEpoch = (
  needs: Pick<FilesPorts, 'clock' | 'epoch'> & { readonly policy: FilesPolicy },
) => {
  const { clock, epoch, policy } = needs;
  let known: { readonly number: number; readonly at: number } | undefined;
  let asking: Promise<number> | undefined;
  let raisedAt: number | undefined;

  const learn = (number: number, at: number): number => {
    if (known !== undefined && number > known.number) raisedAt = at;
    known = { number: Math.max(number, known?.number ?? 0), at };
    return known.number;
  };

  // A clock that was set back must not make an old answer last.
  const isTrusted = (at: number): boolean => Math.abs(clock.now() - at) < policy.epochTrusted;

  const ask = async (): Promise<number> => {
    const at = clock.now();
    const number = learn(await epoch.read(), at);
    // It took so long that whoever joined later may know of a removal that it does not.
    if (!isTrusted(at)) throw cacheUnavailable();
    return number;
  };

  /** The epoch as it was at most a second ago. */
  const current = (): number | Promise<number> => {
    if (known !== undefined && isTrusted(known.at)) return known.number;
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };

  return {
    current,
    outdate: async (): Promise<void> => {
      const at = clock.now();
      learn(await epoch.raise(), at);
      // Also where it was not known before.
      raisedAt = at;
    },
    isSteady: async (): Promise<boolean> => {
      try {
        await current();
      } catch (error) {
        // A store that is down says so itself.
        if (!isDown(error)) throw error;
      }
      return raisedAt === undefined || Math.abs(clock.now() - raisedAt) >= policy.raiseShown;
    },
    distrust: (): void => {
      known = known && { ...known, at: Number.NEGATIVE_INFINITY };
    },
  };
};
