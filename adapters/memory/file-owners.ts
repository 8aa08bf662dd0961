import type { FileOwners } from '../../core/files/ports.ts';
import type { Accounts } from './account-store.ts';
import { text } from './scalars.ts';

/** Who may own files, out of the accounts in memory. */
export const makeMemoryFileOwners = (accounts: Accounts): FileOwners => ({
  standing: async (userId) => {
    const account = accounts.get(text(userId));
    if (account === undefined) return 'unknown';
    return account.deletedAt === null ? 'account' : 'deleted';
  },
});
