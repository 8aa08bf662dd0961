import type { Findings } from '../../../core/findings.ts';
import type { MongoDatabase } from '../engine/client.ts';
import { insertOnce, replaceOnce, type Written } from '../engine/idempotent-writes.ts';
import { equals, is, text, whole } from '../engine/scalars.ts';
import type { Indexes } from '../engine/schema.ts';

interface FindingDocument extends Written {
  readonly _id: string;
  readonly version: number;
  readonly value: object;
}

export const findingsIndexes = { findings: [] } satisfies Indexes;

/** What background work found out, in MongoDB. */
export const makeMongoFindings = (database: MongoDatabase): Findings => {
  const findings = database.collection<FindingDocument>('findings');
  return {
    find: async <T>(name: string) => {
      const found = await database.call(() => findings.findOne({ _id: is(name) }));
      return found === null ? undefined : { value: found.value as T, version: found.version };
    },
    put: async (name, value, version) => {
      const next = { version: whole(version) + 1, value };
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
