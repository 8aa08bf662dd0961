import type { IndexSpecification } from 'mongodb';
import { isError } from '../../calls/is-error.ts';
import type { MongoDatabase } from './client.ts';

/** An index; `where` makes it partial. Some compatible servers accept nothing but equality, `$exists` and comparisons there. */
export interface Index {
  readonly name: string;
  readonly keys: IndexSpecification;
  readonly unique?: true;
  readonly where?: Readonly<Record<string, unknown>>;
  /** A TTL index: this many seconds after the time in the field, the server may delete the document. */
  readonly expireAfterSeconds?: number;
}

/** The indexes by the name of their collection. */
export type Indexes = Readonly<Record<string, readonly Index[]>>;

/** Creates missing indexes. Other indexes stay, since servers of the previous version may still need them. */
export const makeIndexes = async ({ collection }: MongoDatabase, indexes: Indexes): Promise<void> => {
  for (const [name, specified] of Object.entries(indexes)) {
    for (const { keys, where, ...rest } of specified) {
      await collection(name).createIndex(keys, {
        ...rest,
        ...(where === undefined ? {} : { partialFilterExpression: where }),
      });
    }
  }
};

/** The missing indexes, as `collection.index`. */
export const missingIndexes = async (
  { call, collection }: MongoDatabase,
  indexes: Indexes,
): Promise<readonly string[]> => {
  const missing: string[] = [];
  // One after the other: a slow server would answer only the first of many parallel calls in time.
  for (const [name, specified] of Object.entries(indexes)) {
    const existing = new Set(await call(() => namesOf(collection(name))));
    missing.push(
      ...specified.filter((index) => !existing.has(index.name)).map((index) => `${name}.${index.name}`),
    );
  }
  return missing;
};

const NO_SUCH_COLLECTION = 26;

const namesOf = async (collection: ReturnType<MongoDatabase['collection']>): Promise<readonly string[]> => {
  try {
    return (await collection.indexes()).flatMap(({ name }) => (name === undefined ? [] : [name]));
  } catch (error) {
    if (isError(error) && 'code' in error && error.code === NO_SUCH_COLLECTION) return [];
    throw error;
  }
};
