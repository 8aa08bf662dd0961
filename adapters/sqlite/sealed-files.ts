import { setImmediate } from 'node:timers/promises';
import type { SealedFiles } from '../../core/files/ports.ts';
import type { Database } from './database.ts';
import { text, textOrNull, whole } from './scalars.ts';
import { changesOf } from './unit.ts';

const COUNT = 'SELECT key_id, count(*) AS count FROM files WHERE removed = 0 GROUP BY key_id';
const LIST = `
  SELECT id, entry FROM files
  WHERE removed = 0 AND key_id IS NOT NULL AND key_id <> ? AND id > ? ORDER BY id LIMIT ?`;
const REPLACE = `
  UPDATE files SET entry = ?3, bytes = ?4, key_id = ?5 WHERE id = ?1 AND entry = ?2 AND removed = 0`;

/** File records by their master key in the embedded store. */
export const makeSqliteSealedFiles = ({ read, write }: Database): SealedFiles => ({
  countByKey: async () =>
    new Map(
      read
        .all(COUNT, [])
        .map((row) => [row.key_id === null ? null : String(row.key_id), Number(row.count)] as const),
    ),
  listNotUnder: async (keyId, after, limit) => {
    await setImmediate();
    return read
      .all(LIST, [text(keyId), textOrNull(after) ?? '', whole(limit)])
      .map((row) => ({ id: String(row.id), entry: String(row.entry) }));
  },
  replace: async ({ id, entry }, next) => {
    const params = [text(id), text(entry), text(next.entry), whole(next.bytes), textOrNull(next.keyId)];
    return changesOf(await write([{ sql: REPLACE, params }])) > 0;
  },
});
