import type { Deps } from '../deps.ts';

export const makePurgeUnverified =
  ({ accounts, clock, log, policy }: Pick<Deps, 'accounts' | 'clock' | 'log' | 'policy'>) =>
  async (limit = 500): Promise<number> => {
    const expired = await accounts.listWhere(
      { fact: 'unverified', before: clock.now() - policy.unverifiedLife },
      limit,
    );
    let count = 0;
    for (const account of expired) {
      // Conditional on the version: if the user registers or verifies meanwhile, the account stays.
      if (await accounts.remove(account)) count += 1;
    }
    if (count > 0) log.info('accounts.purged', { count });
    return count;
  };

/** Removes expired records to free space; every read checks the time itself. */
export const makeSweep =
  ({ clock, sessions, tries, flows }: Pick<Deps, 'clock' | 'sessions' | 'tries' | 'flows'>) =>
  async (limit = 1_000): Promise<number> => {
    let count = 0;
    for (const store of [sessions, tries, flows]) count += await store.sweep(clock.now(), limit);
    return count;
  };
