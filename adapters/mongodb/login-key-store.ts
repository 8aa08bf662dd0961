import type { LoginKeyRecord, LoginKeyStore } from '../../core/accounts/login-key.ts';
import type { MongoDatabase } from './engine/client.ts';
import { type IdempotentDocument, insertOnce, replaceOnce } from './engine/idempotent-writes.ts';
import { among, is, limitOf, text } from './engine/scalars.ts';

/** The owner of a login key. The key is the id and the shard key. */
export interface LoginKeyDocument extends IdempotentDocument, Pick<LoginKeyRecord, 'userId' | 'mark'> {
  readonly _id: string;
}

/** Sorts after every character of a key. */
const LAST = '\uffff';

export const loginKeysIn = ({ collection }: Pick<MongoDatabase, 'collection'>) =>
  collection<LoginKeyDocument>('login_keys');

export const findLoginKeys = async (
  database: MongoDatabase,
  keys: readonly string[],
): Promise<readonly LoginKeyRecord[]> => {
  const documents = await database.call(() =>
    loginKeysIn(database)
      .find({ _id: among(keys) })
      .toArray(),
  );
  return documents.map(recordOf);
};

/** Owners of login keys, in MongoDB. */
export const makeMongoLoginKeyStore = (database: MongoDatabase): LoginKeyStore => {
  const { call } = database;
  const records = loginKeysIn(database);
  const at = (key: string, mark: string) => ({ _id: is(key), mark: is(mark) }) as const;

  return {
    find: async (key) => {
      const document = await call(() => records.findOne({ _id: is(key) }));
      return document === null ? undefined : recordOf(document);
    },
    list: async (prefix, limit) => {
      const within = { _id: { $gte: text(prefix), $lt: `${text(prefix)}${LAST}` } };
      const documents = await call(() =>
        records.find(within, { sort: { _id: 1 }, limit: limitOf(limit) }).toArray(),
      );
      return documents.map(recordOf);
    },
    add: async (record) => insertOnce(database, records, loginKeyDocument(record)),
    replace: async (record, expectedMark) =>
      replaceOnce(database, records, at(record.key, expectedMark), loginKeyDocument(record)),
    // A repetition deletes no other record: each claim has an id (`mark`) of its own.
    remove: async ({ key, mark }) => {
      await call(() => records.deleteOne(at(key, mark)));
    },
  };
};

/** The document of a record, without the idempotency key of its write. */
export const loginKeyDocument = ({ key, userId, mark }: LoginKeyRecord): Omit<LoginKeyDocument, 'write'> => ({
  _id: text(key),
  userId: text(userId),
  mark: text(mark),
});

const recordOf = ({ _id: key, userId, mark }: LoginKeyDocument): LoginKeyRecord => ({ key, userId, mark });
