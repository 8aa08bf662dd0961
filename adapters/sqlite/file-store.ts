import { setImmediate } from 'node:timers/promises';
import type { FileEntry, FilePosition, FileStore, StoredFile } from '../../core/files/ports.ts';
import type { Database } from './database.ts';
import { plainText, text, textOrNull, whole } from './scalars.ts';
import { changesOf, type Row, type Scalar } from './unit.ts';

const ADD = `
  INSERT INTO files (id, user_id, uploaded_at, size, bytes, key_id, entry) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO NOTHING`;
const FIND = 'SELECT user_id, entry FROM files WHERE id = ? AND removed = 0';
// In the order in which the ids are given.
const FIND_ALL = `
  SELECT files.id, entry FROM json_each(?) AS wanted JOIN files ON files.id = wanted.value AND removed = 0
  ORDER BY wanted.key`;
const FROM_FIRST = 'FROM files WHERE user_id = ? AND removed = 0';
const FROM_AFTER = `${FROM_FIRST} AND (uploaded_at, id) < (?, ?)`;
const ORDER = 'ORDER BY uploaded_at DESC, id DESC LIMIT ?';
const REMOVE = 'UPDATE files SET removed = 1 WHERE id = ? AND removed = 0';
const REMOVE_SOME = `
  UPDATE files SET removed = 1 WHERE rowid IN (
    SELECT rowid FROM files WHERE user_id = ? AND removed = 0 LIMIT ?)
  RETURNING id`;
const PURGE = 'DELETE FROM files WHERE removed = 1 AND id IN (SELECT value FROM json_each(?))';

const idOf = (row: Row): string => String(row.id);

/** File records in the embedded store. */
export const makeSqliteFileStore = ({ read, write }: Database): FileStore => {
  /** Reads that come page after page let others have their turn: each blocks the thread while it runs. */
  const page = async (sql: string, params: readonly Scalar[]): Promise<readonly Row[]> => {
    await setImmediate();
    return read.all(sql, params);
  };

  const pageOf = (columns: string, user: string, after: FilePosition | null, limit: number) =>
    after === null
      ? page(`SELECT ${columns} ${FROM_FIRST} ${ORDER}`, [text(user), whole(limit)])
      : page(`SELECT ${columns} ${FROM_AFTER} ${ORDER}`, [
          text(user),
          whole(after.uploadedAt),
          text(after.id),
          whole(limit),
        ]);

  return {
    add: async (file) => changesOf(await write([{ sql: ADD, params: columnsOf(file) }])) > 0,
    find: async (id) => {
      const row = read.get(FIND, [text(id)]);
      return row && { user: String(row.user_id), entry: String(row.entry) };
    },
    findAll: async (ids) => (await page(FIND_ALL, [listOf(ids)])).map(entryOf),
    list: async (user, after, limit) =>
      (await pageOf('id, uploaded_at, entry', user, after, limit)).map((row) => ({
        ...entryOf(row),
        uploadedAt: Number(row.uploaded_at),
      })),
    listSizes: async (user, after, limit) =>
      (await pageOf('id, uploaded_at, bytes', user, after, limit)).map((row) => ({
        id: idOf(row),
        uploadedAt: Number(row.uploaded_at),
        bytes: Number(row.bytes),
      })),
    has: async (user) => read.get(`SELECT 1 AS one ${FROM_FIRST} LIMIT 1`, [text(user)]) !== undefined,
    totals: async () => {
      const row = read.get('SELECT count(*) AS files, total(size) AS bytes FROM files WHERE removed = 0', []);
      return { files: Number(row?.files ?? 0), bytes: Number(row?.bytes ?? 0) };
    },
    remove: async (id) => changesOf(await write([{ sql: REMOVE, params: [text(id)] }])) > 0,
    removeSome: async (user, limit) => {
      const outcome = await write([{ sql: REMOVE_SOME, params: [text(user), whole(limit)] }]);
      return outcome.done ? (outcome.results[0]?.rows ?? []).map(idOf) : [];
    },
    listRemoved: async (limit) =>
      (await page('SELECT id FROM files WHERE removed = 1 ORDER BY id LIMIT ?', [whole(limit)])).map(idOf),
    purge: async (ids) => {
      await write([{ sql: PURGE, params: [listOf(ids)] }]);
    },
  };
};

const entryOf = (row: Row): FileEntry => ({ id: idOf(row), entry: String(row.entry) });

const listOf = (ids: readonly string[]): string => JSON.stringify(ids.map(plainText));

const columnsOf = (file: StoredFile): readonly Scalar[] => [
  text(file.id),
  text(file.user),
  whole(file.uploadedAt),
  whole(file.size),
  whole(file.bytes),
  textOrNull(file.keyId),
  text(file.entry),
];
