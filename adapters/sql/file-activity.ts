import { listActive } from '../../core/files/list-active.ts';
import type { ActivityPosition, FileActivity } from '../../core/files/ports.ts';
import { readRanges } from '../../core/pagination.ts';
import { type Database, integer, plainText, type Row, type Scalar, text } from './database.ts';
import type { Dialect } from './dialect.ts';

const addSql = ({ records, greatest }: Dialect) => `
  UPDATE files SET accesses = accesses + counted.count, accessed_at = ${greatest}(accessed_at, counted.last_at)
  FROM ${records('?', { id: 'text', count: 'bigint', last_at: 'bigint' })} AS counted
  WHERE files.id = counted.id AND files.removed = 0`;
// A batch that was counted already has its idempotency key in this unique column. `write` then undoes the whole unit, and says
// so in its outcome instead of throwing.
const ADD_BATCH = 'INSERT INTO counted_batches (mark) VALUES (?)';
/** Idempotency keys that are kept. A repetition of a call comes long before this many other calls. */
const MAX_BATCHES = 1_000;
const FORGET = `
  DELETE FROM counted_batches WHERE number <= (SELECT max(number) FROM counted_batches) - ${MAX_BATCHES}`;
const RANKED = `
  SELECT id, accesses, accessed_at, bytes FROM files WHERE user_id = ?1 AND removed = 0 AND accesses > 0`;
const ORDER = 'ORDER BY accesses DESC, accessed_at DESC, id LIMIT ?2';
// Also records that were last read before `since`: `listActive` leaves them out.
const BELOW = `${RANKED} AND accesses < ?3 ${ORDER}`;
// The records behind a position that were read as often: first those last read at the same moment, then those last read earlier.
const SAME_MOMENT = `${RANKED} AND accesses = ?3 AND accessed_at = ?4 AND id > ?5 ${ORDER}`;
const EARLIER = `${RANKED} AND accesses = ?3 AND accessed_at < ?4 AND accessed_at >= ?5 ${ORDER}`;

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
    const owner = text(user);
    const from = integer(since);
    const ranked =
      (sql: string, ...bounds: readonly Scalar[]) =>
      async (most: number) =>
        (await read.all(sql, [owner, most, ...bounds])).map(activityOf);
    const ranking = {
      ofCount: ({ accesses, accessedAt, id }: ActivityPosition, most: number) => {
        const count = integer(accesses);
        const moment = integer(accessedAt);
        return readRanges(most, [
          ranked(SAME_MOMENT, count, moment, text(id)),
          ranked(EARLIER, count, moment, from),
        ]);
      },
      below: (accesses: number, most: number) => ranked(BELOW, integer(accesses))(most),
    };
    return listActive(ranking, from, after, integer(limit));
  },
});

const activityOf = (row: Row) => ({
  id: String(row.id),
  accesses: Number(row.accesses),
  accessedAt: Number(row.accessed_at),
  bytes: Number(row.bytes),
});
