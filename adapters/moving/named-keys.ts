import type { Account } from '../../core/accounts/account.ts';
import type { LoginKeyRecord } from '../../core/accounts/ways-in/login-key.ts';

/** Two accounts name one login key, which may open one account alone. */
export class SharedLoginKey extends Error {
  constructor({ key }: LoginKeyRecord, users: readonly string[]) {
    super(
      `The accounts ${users.join(' and ')} have the same way to sign in, the login key ${key}: the import has stopped. ` +
        'Remove it from one of them where the file was made, export again, and import into an empty store.',
    );
    this.name = 'SharedLoginKey';
  }
}

/**
 * The records of the login keys that imported accounts name, and no others: what else a store had were orphans. `known`
 * finds those of earlier accounts. Throws `SharedLoginKey`.
 */
export const recordsOfKeys = async (
  accounts: readonly Account[],
  known: (keys: readonly string[]) => Promise<readonly LoginKeyRecord[]>,
): Promise<readonly LoginKeyRecord[]> => {
  const named = accounts.flatMap(({ id: userId, loginKeys }) =>
    loginKeys.map(({ key, mark }): LoginKeyRecord => ({ key, userId, mark })),
  );
  if (named.length === 0) return named;
  const users = new Map((await known(named.map(({ key }) => key))).map(({ key, userId }) => [key, userId]));
  for (const record of named) {
    const other = users.get(record.key) ?? record.userId;
    if (other !== record.userId) throw new SharedLoginKey(record, [other, record.userId]);
    users.set(record.key, record.userId);
  }
  return named;
};
