import type { ObjectStore } from '../../core/accounts/ports.ts';
import { objectFolder, objectPath } from '../../core/accounts/safe-object-path.ts';
import { pagesOf } from '../../core/pagination.ts';
import type { Clock } from '../../core/ports.ts';
import { changesOf, type Database, type Row } from '../sql/database.ts';

const PUT = `
  INSERT INTO objects (path, stored_at, bytes) VALUES (?1, ?2, decode(?3, 'base64')) ON CONFLICT (path) DO NOTHING`;
const FIND = "SELECT encode(bytes, 'base64') AS bytes FROM objects WHERE path = ?";
const REMOVE = 'DELETE FROM objects WHERE path = ?';
const REMOVE_ALL = 'DELETE FROM objects WHERE path > ? AND path < ?';
const LIST = 'SELECT path, stored_at FROM objects WHERE path > ? ORDER BY path LIMIT ?';
const PAGE = 500;

/** Stores objects in rows of a table. `Database` takes and gives no bytes, so they pass as Base64. */
export const makePostgresObjects = (
  { read, write }: Pick<Database, 'read' | 'write'>,
  clock: Clock,
): ObjectStore => ({
  put: async (path, bytes) => {
    const params = [objectPath(path), clock.now(), Buffer.from(bytes).toString('base64')];
    return changesOf(await write([{ sql: PUT, params }])) > 0;
  },
  find: async (path) => {
    const row = await read.get(FIND, [objectPath(path)]);
    return row && Buffer.from(String(row.bytes), 'base64');
  },
  remove: async (path) => {
    await write([{ sql: REMOVE, params: [objectPath(path)] }]);
  },
  removeAll: async (userId) => {
    const folder = objectFolder(userId);
    // `0` is the character after `/`.
    await write([{ sql: REMOVE_ALL, params: [`${folder}/`, `${folder}0`] }]);
  },
  async *list() {
    const pages = pagesOf<Row>(PAGE, (after, limit) => read.all(LIST, [after?.path ?? '', limit]));
    for await (const page of pages)
      for (const { path, stored_at } of page) yield { path: String(path), storedAt: Number(stored_at) };
  },
});
