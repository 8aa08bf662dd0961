import { setImmediate } from 'node:timers/promises';
import type { FileActivity } from '../../core/files/ports.ts';
import { readRanges } from '../../core/pagination.ts';
import { type Database, integer, plainText, type Row, type Scalar, text } from './database.ts';
import type { Dialect } from './dialect.ts';

const addSql = ({ records, greatest }: Dialect) => `
  UPDATE files SET accesses = accesses + counted.count, accessed_at = ${greatest}(accessed_at, counted.last_at)
  FROM ${records('?', { id: 'text', count: 'bigint', last_at: 'bigint' })} AS counted
  WHERE files.id = counted.id AND files.removed = 0`;
// If the batch's idempotency key exists already, the batch was counted: the whole unit is undone.
const ADD_BATCH = 'INSERT INTO counted_batches (mark) VALUES (?)';
/** Idempotency keys that stay. A call is repeated long before that many other calls were made. */
const MAX_BATCHES = 1_000;
const FORGET = `
  DELETE FROM counted_batches WHERE number <= (SELECT max(number) FROM counted_batches) - ${MAX_BATCHES}`;
const RANKED = `
  SELECT id, accesses, accessed_at, bytes FROM files
  WHERE user_id = ?1 AND removed = 0 AND accesses > 0 AND accessed_at >= ?2`;
const ORDER = 'ORDER BY accesses DESC, accessed_at DESC, id LIMIT ?3';
const FROM_FIRST = `${RANKED} ${ORDER}`;
// Records after a position: as often and at the same moment, as often but earlier, less often.
const SAME_MOMENT = `${RANKED} AND accesses = ?4 AND accessed_at = ?5 AND id > ?6 ${ORDER}`;
const EARLIER = `${RANKED} AND accesses = ?4 AND accessed_at < ?5 ${ORDER}`;
const LESS_OFTEN = `${RANKED} AND accesses < ?4 ${ORDER}`;

/** Read counts, kept with the file records. */
export const makeSqlFileActivity = ({ read, write, dialect }: Database): FileActivity => ({
  add: async (accesses, batchId) => {
    const counted = accesses.map(({ id, count, lastAt }) => ({
      id: plainText(id),
      count: integer(count),
      last_at: integer(lastAt),
    }));
    await write([
      { sql: ADD_BATCH, params: [text(batchId)] },
      { sql: addSql(dialect), params: [JSON.stringify(counted)] },
      { sql: FORGET, params: [] },
    ]);
  },
  list: async (user, since, after, limit) => {
    await setImmediate();
    const ranked =
      (sql: string, ...behind: readonly Scalar[]) =>
      async (most: number) =>
        (await read.all(sql, [text(user), integer(since), integer(most), ...behind])).map(activityOf);
    if (after === null) return ranked(FROM_FIRST)(integer(limit));
    const accesses = integer(after.accesses);
    const accessedAt = integer(after.accessedAt);
    return readRanges(integer(limit), [
      ranked(SAME_MOMENT, accesses, accessedAt, text(after.id)),
      ranked(EARLIER, accesses, accessedAt),
      ranked(LESS_OFTEN, accesses),
    ]);
  },
});

const activityOf = (row: Row) => ({
  id: String(row.id),
  accesses: Number(row.accesses),
  accessedAt: Number(row.accessed_at),
  bytes: Number(row.bytes),
});
