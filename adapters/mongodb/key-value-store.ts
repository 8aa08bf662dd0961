import type { KeyValueStore } from '../../core/key-value-store.ts';
import type { MongoDatabase } from './engine/client.ts';
import { insertOnce, replaceOnce, type Written } from './engine/idempotent-writes.ts';
import { equals, integer, is, text } from './engine/scalars.ts';
import type { Indexes } from './engine/schema.ts';

interface FindingDocument extends Written {
  readonly _id: string;
  readonly version: number;
  readonly value: object;
}

export const findingsIndexes = { findings: [] } satisfies Indexes;

/** Results of background jobs, in MongoDB. */
export const makeMongoKeyValueStore = (database: MongoDatabase): KeyValueStore => {
  const findings = database.collection<FindingDocument>('findings');
  return {
    find: async <T>(name: string) => {
      const document = await database.call(() => findings.findOne({ _id: is(name) }));
      return document === null ? undefined : { value: document.value as T, version: document.version };
    },
    put: async (name, value, version) => {
      const next = { version: integer(version) + 1, value };
      return version === 0
        ? insertOnce(database, findings, { _id: text(name), ...next })
        : replaceOnce(
            database,
            findings,
            { _id: is(name), version: equals(version) },
            { _id: name, ...next },
          );
    },
  };
};
