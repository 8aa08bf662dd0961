import { setImmediate } from 'node:timers/promises';
import type { SealedFiles } from '../../core/files/ports.ts';
import { readRanges } from '../../core/pages.ts';
import {
  changesOf,
  type Database,
  type Row,
  type Scalar,
  text,
  textOrNull,
  whole,
} from './engine/statements.ts';

const COUNT = 'SELECT key_id, files FROM file_counts WHERE files > 0';
// One range of keys after the other, so that no record under the left-out key is read.
const LISTED = 'SELECT id, entry, key_id FROM files WHERE removed = 0 AND';
const ORDER = 'ORDER BY key_id, id LIMIT ?';
const SAME_KEY = `${LISTED} key_id = ? AND key_id <> ? AND id > ? ${ORDER}`;
const KEYS_BEFORE = `${LISTED} key_id > ? AND key_id < ? ${ORDER}`;
const KEYS_BEHIND = `${LISTED} key_id > max(?, ?) ${ORDER}`;
const REPLACE = `
  UPDATE files SET entry = ?3, bytes = ?4, key_id = ?5 WHERE id = ?1 AND entry = ?2 AND removed = 0`;

/** File records by their master key in the embedded store. */
export const makeSqliteSealedFiles = ({ read, write }: Database): SealedFiles => ({
  countByKey: async () =>
    new Map(read.all(COUNT, []).map((row) => [String(row.key_id) || null, Number(row.files)] as const)),
  listNotUnder: async (keyId, after, limit) => {
    await setImmediate();
    const rows =
      (sql: string, ...params: readonly Scalar[]) =>
      (most: number) =>
        read.all(sql, [...params, most]).map(sealedFile);
    const last = after === null ? '' : text(after.keyId);
    const left = text(keyId);
    return readRanges(whole(limit), [
      ...(after === null ? [] : [rows(SAME_KEY, last, left, text(after.id))]),
      rows(KEYS_BEFORE, last, left),
      rows(KEYS_BEHIND, last, left),
    ]);
  },
  replace: async ({ id, entry }, next) => {
    const params = [text(id), text(entry), text(next.entry), whole(next.bytes), textOrNull(next.keyId)];
    return changesOf(await write([{ sql: REPLACE, params }])) > 0;
  },
});

const sealedFile = (row: Row) => ({
  id: String(row.id),
  entry: String(row.entry),
  keyId: String(row.key_id),
});
