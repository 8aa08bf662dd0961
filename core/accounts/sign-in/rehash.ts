import type { Account } from '../account.ts';
import type { Kit } from '../kit.ts';
import type { HashOptions } from '../ports.ts';

/**
 * Hashes a correct password again if its hash has other parameters than the setting. The login does not wait for it:
 * the time of the answer would reveal the old hash. A dearer hash reveals itself at every try anyway; there the login
 * waits, so that it is the last one to do so. If the hashing fails, the next login tries again.
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
