import type { SealedFiles } from '../../core/files/ports.ts';
import { readRanges } from '../../core/pagination.ts';
import { changesOf, type Database, integer, type Row, type Scalar, text, textOrNull } from './database.ts';

// Records without a key id, whose wrapped keys have an unknown format, are counted under '', which callers get as null.
const COUNT = 'SELECT key_id, sum(files) AS files FROM file_counts GROUP BY key_id HAVING sum(files) > 0';
// A page is read in up to three ranges, so that records under the excluded key are not even read. Records without a key id are
// in none of them: SQL finds no comparison with NULL true.
const LISTED = 'SELECT id, entry, key_id FROM files WHERE removed = 0 AND';
const ORDER = 'ORDER BY key_id, id LIMIT ?';
const REST_OF_KEY = `${LISTED} key_id = ? AND key_id <> ? AND id > ? ${ORDER}`;
const KEYS_BETWEEN = `${LISTED} key_id > ? AND key_id < ? ${ORDER}`;
const KEYS_AFTER = `${LISTED} key_id > ? ${ORDER}`;
const REPLACE = `
  UPDATE files SET entry = ?3, bytes = ?4, key_id = ?5 WHERE id = ?1 AND entry = ?2 AND removed = 0`;

/** File records by their master key. */
export const makeSqlSealedFiles = ({ read, write }: Database): SealedFiles => ({
  countByKey: async () =>
    new Map(
      (await read.all(COUNT, [])).map((row) => [String(row.key_id) || null, Number(row.files)] as const),
    ),
  listNotUnder: async (keyId, after, limit) => {
    const rows =
      (sql: string, ...params: readonly Scalar[]) =>
      async (most: number) =>
        (await read.all(sql, [...params, most])).map(sealedFile);
    const lastKey = after === null ? '' : text(after.keyId);
    const excludedKey = text(keyId);
    return readRanges(integer(limit), [
      // The rest of the last key, in which the previous page ended. It is empty if that key is the excluded key by now.
      ...(after === null ? [] : [rows(REST_OF_KEY, lastKey, excludedKey, text(after.id))]),
      // The keys between the last key and the excluded key. There are none if the previous page ended behind the excluded key.
      rows(KEYS_BETWEEN, lastKey, excludedKey),
      // The keys after both.
      rows(KEYS_AFTER, lastKey > excludedKey ? lastKey : excludedKey),
    ]);
  },
  replace: async ({ id, entry }, next) => {
    const params = [text(id), text(entry), text(next.entry), integer(next.bytes), textOrNull(next.keyId)];
    return changesOf(await write([{ sql: REPLACE, params }])) > 0;
  },
});

const sealedFile = (row: Row) => ({
  id: String(row.id),
  entry: String(row.entry),
  keyId: String(row.key_id),
});
