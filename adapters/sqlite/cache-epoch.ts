import type { CacheEpoch } from '../../core/files/ports.ts';
import type { Connection } from './engine/connection.ts';
import { type Database, rowOf, type Statement } from './engine/statements.ts';

/** Gives a number that was never given before, not even by the store that this one was restored from: at least the time. */
export const RAISE: Statement = {
  sql: `
    UPDATE cache_epoch SET number = max(number + 1, CAST(strftime('%s', 'now') AS INTEGER) * 1000)
    RETURNING number`,
  params: [],
};

/** The cache's epoch in the embedded store. */
export const makeSqliteCacheEpoch = ({ read, write }: Database): CacheEpoch => ({
  read: async () => Number(read.get('SELECT number FROM cache_epoch', [])?.number ?? 1),
  raise: async () => {
    const row = rowOf(await write([RAISE]));
    if (row === undefined) throw new Error('The store holds no cache epoch.');
    return Number(row.number);
  },
});

/** For a store that was restored to an earlier state: makes everything that was cached since a miss. */
export const raiseEpoch = (connection: Connection): void => {
  const isThere = connection.get("SELECT 1 AS one FROM sqlite_schema WHERE name = 'cache_epoch'", []);
  if (isThere !== undefined) connection.run(RAISE);
};
