import type { LoginKeyRecord, LoginKeyStore } from '../../../core/accounts/login-key.ts';
import type { MongoDatabase } from '../engine/client.ts';
import { insertOnce, replaceOnce, type Written } from '../engine/idempotent-writes.ts';
import { is, text } from '../engine/scalars.ts';
import type { Indexes } from '../engine/schema.ts';

/** Whose a login key is. The key is the id and the shard key. */
export interface LoginKeyDocument extends Written, Pick<LoginKeyRecord, 'userId' | 'mark'> {
  readonly _id: string;
}

const LOGIN_KEYS = 'login_keys';

/** Records are found by their ids alone. */
export const loginKeyStoreIndexes: Indexes = { [LOGIN_KEYS]: [] };

/** Whose login keys are, in MongoDB. */
export const makeMongoLoginKeyStore = (database: MongoDatabase): LoginKeyStore => {
  const { call, collection } = database;
  const records = collection<LoginKeyDocument>(LOGIN_KEYS);
  const at = (key: string, mark: string) => ({ _id: is(key), mark: is(mark) }) as const;

  return {
    find: async (key) => {
      const found = await call(() => records.findOne({ _id: is(key) }));
      return found === null ? undefined : { key, userId: found.userId, mark: found.mark };
    },
    add: async (record) => insertOnce(database, records, documentOf(record)),
    replace: async (record, seen) => replaceOnce(database, records, at(record.key, seen), documentOf(record)),
    // May be repeated: no claim has the mark of an earlier one.
    remove: async ({ key, mark }) => {
      await call(() => records.deleteOne(at(key, mark)));
    },
  };
};

/** The document of a record, all but the mark of its write. */
const documentOf = ({ key, userId, mark }: LoginKeyRecord): Omit<LoginKeyDocument, 'write'> => ({
  _id: text(key),
  userId: text(userId),
  mark: text(mark),
});
