import type { CacheGeneration } from '../../core/files/ports.ts';
import { type Database, rowOf, type Statement } from './database.ts';
import type { Dialect } from './dialect.ts';

/**
 * Raises the generation, the `number` in the table `cache_epoch`, at least to the present time: a store restored from a backup
 * must not return a number for a second time.
 */
export const raiseGeneration = ({ greatest, now }: Dialect): Statement => ({
  sql: `UPDATE cache_epoch SET number = ${greatest}(number + 1, ${now}) RETURNING number`,
  params: [],
});

export const makeSqlCacheGeneration = ({ read, write, dialect }: Database): CacheGeneration => ({
  // The schema creates the row with the number 1. A missing row is read as 1, too, but cannot be raised.
  read: async () => Number((await read.get('SELECT number FROM cache_epoch', []))?.number ?? 1),
  raise: async () => {
    const row = rowOf(await write([raiseGeneration(dialect)]));
    if (row === undefined) throw new Error('The store has no cache generation.');
    return Number(row.number);
  },
});
