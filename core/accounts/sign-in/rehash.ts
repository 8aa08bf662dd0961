import type { Account } from '../account.ts';
import type { Kit } from '../kit.ts';
import type { HashOptions } from '../ports.ts';

/**
 * Hashes a right password again if its hash has other parameters than the standard. The login does not wait for it,
 * since the time of the answer would tell about the hash. A more expensive hash shows at every try anyway: there the
 * login waits, and is the last one to show it. If the write fails or comes too late, the next login repeats it.
 */
export const makeRehash = ({ accounts, hasher, log }: Kit) => {
  const rehash = async (account: Account, password: string, options: HashOptions) => {
    const passwordHash = await hasher.hash(password, options);
    const found = await accounts.find(account.id);
    if (found?.passwordHash === account.passwordHash) await accounts.save({ ...found, passwordHash });
  };

  return async (account: Account, password: string, options: HashOptions): Promise<void> => {
    const done = rehash(account, password, options).catch((error: unknown) =>
      log.warn('password.not_rehashed', { userId: account.id, error }),
    );
    if (account.passwordHash !== null && hasher.isDearer(account.passwordHash)) await done;
  };
};
