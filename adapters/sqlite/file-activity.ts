import { setImmediate } from 'node:timers/promises';
import type { FileActivity } from '../../core/files/ports.ts';
import type { Database } from './database.ts';
import { plainText, text, whole } from './scalars.ts';

const ADD = `
  UPDATE files SET accesses = accesses + counted.count, accessed_at = max(accessed_at, counted.last_at)
  FROM (
    SELECT value ->> 'id' AS id, value ->> 'count' AS count, value ->> 'lastAt' AS last_at FROM json_each(?)
  ) AS counted
  WHERE files.id = counted.id AND files.removed = 0`;
// One that is there already was counted: nothing of the unit is done.
const MARK = 'INSERT INTO counted_batches (mark) VALUES (?)';
/** Marks that are kept: a call is repeated long before so many others were made. */
const MARKS = 1_000;
const FORGET = `
  DELETE FROM counted_batches WHERE number <= (SELECT max(number) FROM counted_batches) - ${MARKS}`;
const LIST = `
  SELECT id, accesses, accessed_at, bytes FROM files
  WHERE user_id = ?1 AND removed = 0 AND accesses > 0 AND accesses <= ?3
    AND (accesses < ?3 OR accessed_at < ?4 OR (accessed_at = ?4 AND id > ?5)) AND accessed_at >= ?2
  ORDER BY accesses DESC, accessed_at DESC, id LIMIT ?6`;

const FIRST = { accesses: Number.MAX_SAFE_INTEGER, accessedAt: Number.MAX_SAFE_INTEGER, id: '' };

/** Counts of reads in the embedded store, kept with the records. */
export const makeSqliteFileActivity = ({ read, write }: Database): FileActivity => ({
  add: async (accesses, mark) => {
    const counted = accesses.map(({ id, count, lastAt }) => ({
      id: plainText(id),
      count: whole(count),
      lastAt: whole(lastAt),
    }));
    await write([
      { sql: MARK, params: [text(mark)] },
      { sql: ADD, params: [JSON.stringify(counted)] },
      { sql: FORGET, params: [] },
    ]);
  },
  list: async (user, since, after, limit) => {
    await setImmediate();
    const { accesses, accessedAt, id } = after ?? FIRST;
    const params = [text(user), whole(since), whole(accesses), whole(accessedAt), text(id), whole(limit)];
    return read.all(LIST, params).map((row) => ({
      id: String(row.id),
      accesses: Number(row.accesses),
      accessedAt: Number(row.accessed_at),
      bytes: Number(row.bytes),
    }));
  },
});
