import type { Kit } from '../kit.ts';
import { withAccess } from './entitle.ts';

/**
 * Updates the access of accounts that were last written under another value of `SELF_ENTITLEMENT`, by which their own
 * claims counted or did not. Lists and counts use it.
 */
export const makeRecountAccess =
  ({ accounts, change, log, policy }: Pick<Kit, 'accounts' | 'change' | 'log' | 'policy'>) =>
  async (limit = 200): Promise<number> => {
    const self = policy.selfEntitlement;
    const found = await accounts.listByClaims(self !== 'trust', limit);
    const recount = (id: string): Promise<number> =>
      change<number>(
        () => accounts.find(id),
        // Neither an act of the user nor about one: no audit row, no event, and the account counts as unchanged.
        (account) =>
          account === undefined ? { next: null, answer: 0 } : { next: withAccess(account, self), answer: 1 },
      );
    const done = await Promise.all(found.map(({ id }) => recount(id)));
    const count = done.reduce((sum, one) => sum + one, 0);
    if (count > 0) log.info('access.recounted', { count });
    return count;
  };
