import type { CacheGeneration } from '../../core/files/ports.ts';
import { type Database, rowOf, type Statement } from './database.ts';
import type { Dialect } from './dialect.ts';

/** The new number is at least the time, so it is new even in a store that was restored from a backup of an earlier number. */
export const raiseGeneration = ({ greatest, now }: Dialect): Statement => ({
  sql: `UPDATE cache_epoch SET number = ${greatest}(number + 1, ${now}) RETURNING number`,
  params: [],
});

export const makeSqlCacheGeneration = ({ read, write, dialect }: Database): CacheGeneration => ({
  read: async () => Number((await read.get('SELECT number FROM cache_epoch', []))?.number ?? 1),
  raise: async () => {
    const row = rowOf(await write([raiseGeneration(dialect)]));
    if (row === undefined) throw new Error('The store has no cache generation.');
    return Number(row.number);
  },
});
