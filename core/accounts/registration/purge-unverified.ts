import type { Deps } from '../deps.ts';

export const makePurgeUnverified =
  ({ accounts, clock, log, policy }: Pick<Deps, 'accounts' | 'clock' | 'log' | 'policy'>) =>
  async (limit = 100): Promise<number> => {
    const before = clock.now() - policy.unverifiedLife;
    const expired = await accounts.listWhere({ fact: 'unverified', before }, limit);
    let count = 0;
    for (const account of expired) {
      // Conditional on the version: if the user registers or verifies meanwhile, the account stays.
      if (await accounts.remove(account)) count += 1;
    }
    if (count > 0) log.info('accounts.purged', { count });
    return count;
  };
