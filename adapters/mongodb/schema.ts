import type { IndexSpecification } from 'mongodb';
import type { MongoDatabase } from './client.ts';

/** An index; `where` makes it a partial one. Only plain equality, `$exists` and comparisons are known everywhere. */
export interface Index {
  readonly name: string;
  readonly keys: IndexSpecification;
  readonly unique?: true;
  readonly where?: Readonly<Record<string, unknown>>;
  /** Documents go this many seconds after the time in the field, or later: an index that only tidies up. */
  readonly expireAfterSeconds?: number;
}

/** The indexes of each collection, by its name. Each store says its own. */
export type Indexes = Readonly<Record<string, readonly Index[]>>;

/** Makes those that are missing; what is there stays, so that servers of the version before go on beside it. */
export const makeIndexes = async ({ collection }: MongoDatabase, indexes: Indexes): Promise<void> => {
  for (const [name, wanted] of Object.entries(indexes)) {
    for (const { keys, where, ...rest } of wanted) {
      await collection(name).createIndex(keys, {
        ...rest,
        ...(where === undefined ? {} : { partialFilterExpression: where }),
      });
    }
  }
};

/** Those that are not there, as `collection.index`. */
export const missingIndexes = async (
  { call, collection }: MongoDatabase,
  indexes: Indexes,
): Promise<readonly string[]> => {
  const missing: string[] = [];
  // One after the other: a server that is behind would answer only the first of many in time.
  for (const [name, wanted] of Object.entries(indexes)) {
    const there = new Set(await call(() => namesOf(collection(name))));
    missing.push(...wanted.filter((index) => !there.has(index.name)).map((index) => `${name}.${index.name}`));
  }
  return missing;
};

const NO_SUCH_COLLECTION = 26;

const namesOf = async (collection: ReturnType<MongoDatabase['collection']>): Promise<readonly string[]> => {
  try {
    return (await collection.indexes()).flatMap(({ name }) => (name === undefined ? [] : [name]));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === NO_SUCH_COLLECTION) return [];
    throw error;
  }
};
