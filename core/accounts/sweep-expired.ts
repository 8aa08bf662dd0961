import type { Deps } from './deps.ts';

/** Removes expired records, at most `limit` of each kind, to free space: every read checks the time itself. Returns how many. */
export const makeSweep =
  ({ clock, sessions, tries, flows }: Pick<Deps, 'clock' | 'sessions' | 'tries' | 'flows'>) =>
  async (limit = 1_000): Promise<number> => {
    let count = 0;
    for (const store of [sessions, tries, flows]) count += await store.sweep(clock.now(), limit);
    return count;
  };
