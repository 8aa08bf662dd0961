import type { CacheGeneration } from '../../core/files/ports.ts';
import type { Connection } from './engine/connection.ts';
import { type Database, rowOf, type Statement } from './engine/statements.ts';

/** The new number is at least the time, so that not even the store behind a backup has returned it before. */
export const RAISE: Statement = {
  sql: `
    UPDATE cache_epoch SET number = max(number + 1, CAST(strftime('%s', 'now') AS INTEGER) * 1000)
    RETURNING number`,
  params: [],
};

/** The cache generation in the embedded store. */
export const makeSqliteCacheGeneration = ({ read, write }: Database): CacheGeneration => ({
  read: async () => Number((await read.get('SELECT number FROM cache_epoch', []))?.number ?? 1),
  raise: async () => {
    const row = rowOf(await write([RAISE]));
    if (row === undefined) throw new Error('The store has no cache generation.');
    return Number(row.number);
  },
});

/** For a store restored from a backup: invalidates everything that was cached since the backup. */
export const raiseGeneration = (connection: Connection): void => {
  const isThere = connection.get("SELECT 1 AS one FROM sqlite_schema WHERE name = 'cache_epoch'", []);
  if (isThere !== undefined) connection.run(RAISE);
};

/** The name of earlier releases, until 1.0. */
export { makeSqliteCacheGeneration as makeSqliteCacheEpoch };
