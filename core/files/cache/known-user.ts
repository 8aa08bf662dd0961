import { userNotFound } from '../errors.ts';
import { acceptUser } from '../file-record.ts';
import type { Kit } from '../kit.ts';

/** Throws `missing` (`user_not_found`) unless the user has an account or at least one file. */
export const makeRequireUser =
  ({ files, owners, policy }: Pick<Kit, 'files' | 'owners' | 'policy'>) =>
  async (user: string): Promise<void> => {
    acceptUser(user, policy);
    if ((await owners.standing(user)) !== 'account' && !(await files.has(user))) throw userNotFound();
  };
