import type { Kit } from '../kit.ts';

export const makePurgeUnverified =
  ({ accounts, clock, log, policy }: Pick<Kit, 'accounts' | 'clock' | 'log' | 'policy'>) =>
  async (limit = 500): Promise<number> => {
    const old = await accounts.listUnverified(clock.now() - policy.unverifiedLife, limit);
    let count = 0;
    for (const account of old) {
      // Conditional on the version: if the user registers or verifies meanwhile, the account stays.
      if (await accounts.remove(account)) count += 1;
    }
    if (count > 0) log.info('accounts.purged', { count });
    return count;
  };

/** Only frees room: filters check the time themselves. */
export const makeSweep =
  ({ clock, sessions, tries, flows }: Pick<Kit, 'clock' | 'sessions' | 'tries' | 'flows'>) =>
  async (limit = 1_000): Promise<number> => {
    let count = 0;
    for (const store of [sessions, tries, flows]) count += await store.sweep(clock.now(), limit);
    return count;
  };
