import type { KeyValueStore } from '../../core/key-value-store.ts';
import type { MongoDatabase } from './engine/client.ts';
import { type IdempotentDocument, insertOnce, replaceOnce } from './engine/idempotent-writes.ts';
import { equals, integer, is, text } from './engine/scalars.ts';

interface KeyValueDocument extends IdempotentDocument {
  readonly _id: string;
  readonly version: number;
  readonly value: object;
}

/** Results of background jobs, in MongoDB. */
export const makeMongoKeyValueStore = (database: MongoDatabase): KeyValueStore => {
  const documents = database.collection<KeyValueDocument>('findings');
  return {
    find: async <T>(name: string) => {
      const document = await database.call(() => documents.findOne({ _id: is(name) }));
      return document === null ? undefined : { value: document.value as T, version: document.version };
    },
    put: async (name, value, version) => {
      const next = { version: integer(version) + 1, value };
      // Version 0 requires that there is no value yet.
      return version === 0
        ? insertOnce(database, documents, { _id: text(name), ...next })
        : replaceOnce(
            database,
            documents,
            { _id: is(name), version: equals(version) },
            { _id: name, ...next },
          );
    },
  };
};
