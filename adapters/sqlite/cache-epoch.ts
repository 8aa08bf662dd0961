import type { CacheEpoch } from '../../core/files/ports.ts';
import type { Database } from './database.ts';
import { rowOf } from './unit.ts';

/** The cache's epoch in the embedded store. */
export const makeSqliteCacheEpoch = ({ read, write }: Database): CacheEpoch => ({
  read: async () => Number(read.get('SELECT number FROM cache_epoch', [])?.number ?? 1),
  raise: async () => {
    const sql = 'UPDATE cache_epoch SET number = number + 1 RETURNING number';
    const row = rowOf(await write([{ sql, params: [] }]));
    if (row === undefined) throw new Error('The store holds no cache epoch.');
    return Number(row.number);
  },
});
