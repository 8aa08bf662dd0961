import type { MongoDatabase } from './client.ts';
import { type Indexes, makeIndexes, missingIndexes } from './schema.ts';

/** The version of the layout that this program writes; documents of an older one are read as well. */
export const NEWEST = 1;

interface Layout {
  readonly _id: 'schema';
  readonly version: number;
}

/** The version of the layout in a database; 0 where nothing was ever kept in it. */
export const layoutOf = async ({ call, collection }: MongoDatabase): Promise<number> => {
  const layouts = collection<Layout>('meta');
  const found = await call(() => layouts.findOne({ _id: { $eq: 'schema' } }));
  return found?.version ?? 0;
};

/**
 * Brings indexes and layout up to date; each step may be repeated, and is made beside servers of the version before. The
 * version comes last, so that what was left half done is done again.
 */
export const bringUpToDate = async (database: MongoDatabase, indexes: Indexes): Promise<void> => {
  await makeIndexes(database, indexes);
  await database.call(() =>
    database
      .collection<Layout>('meta')
      .updateOne({ _id: { $eq: 'schema' } }, { $max: { version: NEWEST } }, { upsert: true }),
  );
};

/** Writes what changes nothing, the version neither, so that a user who may not write shows. */
export const tryToWrite = async ({ call, collection }: MongoDatabase): Promise<void> => {
  await call(() =>
    collection<Layout>('meta').updateOne({ _id: { $eq: 'schema' } }, { $max: { version: 0 } }),
  );
};

/** What keeps a database from being worked with, in words for whoever starts the program; undefined when nothing does. */
export const whatIsMissing = async (
  database: MongoDatabase,
  indexes: Indexes,
): Promise<string | undefined> => {
  const version = await layoutOf(database);
  if (version < NEWEST) return `its layout is of version ${version}, and this program works with ${NEWEST}`;
  const missing = await missingIndexes(database, indexes);
  return missing.length === 0 ? undefined : `it lacks the indexes ${missing.join(', ')}`;
};
