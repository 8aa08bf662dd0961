import type { Account } from '../../core/accounts/account.ts';
import type { LoginKeyRecord } from '../../core/accounts/login-key.ts';

/** Two accounts name the same login key, which may open only one account. */
export class SharedLoginKey extends Error {
  constructor({ key }: LoginKeyRecord, users: readonly string[]) {
    super(
      `The accounts ${users.join(' and ')} have the same sign-in method, the login key ${key}: the import has stopped. ` +
        'Remove it from one of them where the file was made, export again, and import into an empty store.',
    );
    this.name = 'SharedLoginKey';
  }
}

/**
 * The records of the login keys that imported accounts name. Records that no account names are orphans and not exported.
 * `findEarlier` finds the records of accounts imported before. Throws `SharedLoginKey`.
 */
export const loginKeyRecords = async (
  accounts: readonly Account[],
  findEarlier: (keys: readonly string[]) => Promise<readonly LoginKeyRecord[]>,
): Promise<readonly LoginKeyRecord[]> => {
  const records = accounts.flatMap(({ id: userId, loginKeys }) =>
    loginKeys.map(({ key, mark }): LoginKeyRecord => ({ key, userId, mark })),
  );
  if (records.length === 0) return records;
  const owners = new Map(
    (await findEarlier(records.map(({ key }) => key))).map(({ key, userId }) => [key, userId]),
  );
  for (const record of records) {
    const owner = owners.get(record.key) ?? record.userId;
    if (owner !== record.userId) throw new SharedLoginKey(record, [owner, record.userId]);
    owners.set(record.key, record.userId);
  }
  return records;
};
