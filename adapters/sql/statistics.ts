import { type Counts, countsOf, type Statistics } from '../../core/daily-statistics.ts';
import { type Database, integer, type Row, text } from './database.ts';
import type { Dialect } from './dialect.ts';
import { document } from './table.ts';

const putSql = ({ greatest }: Dialect) => `
  INSERT INTO statistics (day, doc, mail_waiting_most) VALUES (?1, ?2, ?3)
  ON CONFLICT (day) DO UPDATE SET
    doc = ?2, mail_waiting_most = ${greatest}(statistics.mail_waiting_most, excluded.mail_waiting_most)`;
const SWEEP = 'DELETE FROM statistics WHERE day <= ?';
const ADD = `
  INSERT INTO statistics (day, cache_hits, cache_misses) VALUES (?1, ?2, ?3)
  ON CONFLICT (day) DO UPDATE SET
    cache_hits = statistics.cache_hits + ?2, cache_misses = statistics.cache_misses + ?3`;
// A day has no `doc` until `put` has counted it: `add` alone creates a row without one.
const LIST = `
  SELECT day, doc, mail_waiting_most, cache_hits, cache_misses FROM statistics
  WHERE day >= ? AND doc IS NOT NULL ORDER BY day LIMIT ?`;

export const makeSqlStatistics = ({ read, write, dialect }: Database): Statistics => ({
  put: async ({ day, mailWaitingMost, ...counts }) => {
    const params = [text(day), JSON.stringify(countsOf(counts)), integer(mailWaitingMost)];
    await write([{ sql: putSql(dialect), params }]);
  },
  sweep: async (last) => {
    await write([{ sql: SWEEP, params: [text(last)] }]);
  },
  add: async (day, { cacheHits, cacheMisses }) => {
    await write([{ sql: ADD, params: [text(day), integer(cacheHits), integer(cacheMisses)] }]);
  },
  list: async (from, limit) => (await read.all(LIST, [text(from), integer(limit)])).map(dayIn),
});

const dayIn = (row: Row) => ({
  ...document<Counts>(row),
  day: String(row.day),
  mailWaitingMost: Number(row.mail_waiting_most),
  cacheHits: Number(row.cache_hits),
  cacheMisses: Number(row.cache_misses),
});
