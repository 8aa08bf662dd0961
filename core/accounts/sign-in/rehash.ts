import type { Account } from '../account.ts';
import type { Kit } from '../kit.ts';
import type { HashOptions } from '../ports.ts';

/**
 * Hashes a password anew that was right, where its hash was made with other parameters. The login does not wait for it:
 * the time of the answer would tell of the hash. A dearer one tells of itself at each try, so there the login does wait,
 * and is the last that tells. What fails now is done at the next login.
 */
export const makeRehash = ({ accounts, change, hasher, log }: Kit) => {
  const rehash = async (account: Account, password: string, options: HashOptions) => {
    const passwordHash = await hasher.hash(password, options);
    await change(
      () => accounts.find(account.id),
      (found) => ({
        next: found && found.passwordHash === account.passwordHash ? { ...found, passwordHash } : null,
        answer: undefined,
      }),
    );
  };

  return async (account: Account, password: string, options: HashOptions): Promise<void> => {
    const done = rehash(account, password, options).catch((error: unknown) =>
      log.warn('password.not_rehashed', { userId: account.id, error }),
    );
    if (account.passwordHash !== null && hasher.isDearer(account.passwordHash)) await done;
  };
};
