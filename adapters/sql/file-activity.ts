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
const OF_COUNT = `${RANKED} AND accesses = ?4 ${ORDER}`;
// Records after a position: as often and at the same moment, as often but earlier.
const SAME_MOMENT = `${RANKED} AND accesses = ?4 AND accessed_at = ?5 AND id > ?6 ${ORDER}`;
const EARLIER = `${RANKED} AND accesses = ?4 AND accessed_at < ?5 ${ORDER}`;
const COUNT_BELOW = `
  SELECT accesses FROM files WHERE user_id = ? AND removed = 0 AND accesses > 0 AND accesses < ?
  ORDER BY accesses DESC LIMIT 1`;

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
  // Each count is a range of its own: in a range of several, those read before `since` would be read in vain.
  list: async (user, since, after, limit) => {
    const owner = text(user);
    const from = integer(since);
    const most = integer(limit);
    const ranked =
      (sql: string, ...behind: readonly Scalar[]) =>
      async (size: number) =>
        (await read.all(sql, [owner, from, size, ...behind])).map(activityOf);
    let below = integer(after?.accesses ?? Number.MAX_SAFE_INTEGER);
    const ofSameCount =
      after === null
        ? []
        : [
            ranked(SAME_MOMENT, below, integer(after.accessedAt), text(after.id)),
            ranked(EARLIER, below, integer(after.accessedAt)),
          ];
    const active = [...(await readRanges(most, ofSameCount))];
    while (active.length < most) {
      await setImmediate();
      const next = await read.get(COUNT_BELOW, [owner, below]);
      if (next === undefined) break;
      below = Number(next.accesses);
      active.push(...(await ranked(OF_COUNT, below)(most - active.length)));
    }
    return active;
  },
});

const activityOf = (row: Row) => ({
  id: String(row.id),
  accesses: Number(row.accesses),
  accessedAt: Number(row.accessed_at),
  bytes: Number(row.bytes),
});
