import type { MongoDatabase } from '../engine/client.ts';
import { type Indexes, makeIndexes, missingIndexes } from '../engine/schema.ts';

/** The version of the layout that this program writes. It also reads documents of older versions. */
export const NEWEST = 1;

interface Layout {
  readonly _id: 'schema';
  readonly version: number;
}

/** The version of the layout in a database; 0 for an unused database. */
export const layoutOf = async ({ call, collection }: MongoDatabase): Promise<number> => {
  const layouts = collection<Layout>('meta');
  const found = await call(() => layouts.findOne({ _id: { $eq: 'schema' } }));
  return found?.version ?? 0;
};

/**
 * Upgrades indexes and layout. Each step may be repeated, and may run beside servers of the version before. The version is
 * written last, so that an interrupted upgrade is done again.
 */
export const bringUpToDate = async (database: MongoDatabase, indexes: Indexes): Promise<void> => {
  await makeIndexes(database, indexes);
  await database.call(() =>
    database
      .collection<Layout>('meta')
      .updateOne({ _id: { $eq: 'schema' } }, { $max: { version: NEWEST } }, { upsert: true }),
  );
};

/** A write without effect: it fails if the database user may not write. */
export const tryToWrite = async ({ call, collection }: MongoDatabase): Promise<void> => {
  await call(() =>
    collection<Layout>('meta').updateOne({ _id: { $eq: 'schema' } }, { $max: { version: 0 } }),
  );
};

/** Why the database cannot be used, as a text for the person who starts the program; undefined if it can. */
export const whatIsMissing = async (
  database: MongoDatabase,
  indexes: Indexes,
): Promise<string | undefined> => {
  const version = await layoutOf(database);
  if (version < NEWEST) return `its layout is of version ${version}, and this program works with ${NEWEST}`;
  const missing = await missingIndexes(database, indexes);
  return missing.length === 0 ? undefined : `it lacks the indexes ${missing.join(', ')}`;
};
