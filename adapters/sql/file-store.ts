import { makeListWithItems } from '../../core/files/missing-items.ts';
import type { FileOwners, FilePosition, FileStore, StoredFile } from '../../core/files/ports.ts';
import { changesOf, type Database, integer, plainText, type Row, type Scalar, text } from './database.ts';
import type { Dialect } from './dialect.ts';
import { fieldsTable, integerIn, textIn, textOrNullIn } from './table.ts';

/**
 * The columns of an export. It leaves out the item, which is derived from the entry. `size` is the size of the uploaded file,
 * `bytes` that of the entry in a cache.
 */
export const exportedFileColumns = {
  id: textIn('id'),
  user: textIn('user_id'),
  uploadedAt: integerIn('uploaded_at'),
  size: integerIn('size'),
  bytes: integerIn('bytes'),
  keyId: textOrNullIn('key_id'),
  entry: textIn('entry'),
};

const filesTable = fieldsTable<StoredFile>('files', { ...exportedFileColumns, item: textIn('item') });

const ADD = `${filesTable.insert} ON CONFLICT (id) DO NOTHING`;
const FIND = 'SELECT entry FROM files WHERE id = ? AND removed = 0';

/**
 * Reads a page as one row: each column holds the values of all records, each on its own line. Passing single rows through
 * a driver takes three times as long. No value contains a line break: they are ids, numbers and JSON. `rows` needs a
 * LIMIT, since only then SQLite keeps its order.
 */
const pageSql = (columns: readonly string[], rows: string): string => {
  // string_agg skips NULL, which must become an empty line.
  const lines = columns.map(
    (column) => `string_agg(coalesce(CAST(${column} AS TEXT), ''), '\n') AS ${column}`,
  );
  return `SELECT ${lines.join(', ')} FROM (${rows}) AS page`;
};

const FROM_FIRST = 'FROM files WHERE user_id = ? AND removed = 0';
const FROM_AFTER = `${FROM_FIRST} AND (uploaded_at, id) < (?, ?)`;
const ORDER = 'ORDER BY uploaded_at DESC, id DESC LIMIT ?';
const listStatements = (columns: readonly string[]) => ({
  first: pageSql(columns, `SELECT ${columns.join(',')} ${FROM_FIRST} ${ORDER}`),
  after: pageSql(columns, `SELECT ${columns.join(',')} ${FROM_AFTER} ${ORDER}`),
});
const LIST = {
  item: listStatements(['id', 'uploaded_at', 'item']),
  bytes: listStatements(['id', 'uploaded_at', 'bytes']),
};
// In two parts, the upper and the lower 32 bits of each size: the sum of large sizes may exceed 64 bits.
const TOTALS = `
  SELECT sum(files) AS files, sum(sizes_high) AS sizes_high, sum(sizes_low) AS sizes_low FROM file_counts`;
const REMOVE = 'UPDATE files SET removed = 1 WHERE id = ? AND removed = 0';
const REMOVE_SOME = `
  UPDATE files SET removed = 1 WHERE removed = 0 AND id IN (
    SELECT id FROM files WHERE user_id = ? AND removed = 0 LIMIT ?)
  RETURNING id`;

const statementsIn = ({ each, records }: Dialect) => ({
  // In the order of the given ids.
  findAll: pageSql(
    ['id', 'entry'],
    `SELECT files.id, entry FROM ${each('?1')} JOIN files ON files.id = value AND removed = 0
    ORDER BY key LIMIT ?2`,
  ),
  setItems: `
    UPDATE files SET item = made.item FROM ${records('?', { id: 'text', item: 'text' })} AS made
    WHERE files.id = made.id AND files.item IS NULL`,
  purge: `DELETE FROM files WHERE removed = 1 AND id IN (SELECT value FROM ${each('?')})`,
});

const idOf = (row: Row): string => String(row.id);

export const makeSqlFileStore = ({ read, write, dialect }: Database): FileStore => {
  const statements = statementsIn(dialect);
  /** Reads a page. Returns a function that returns the values of a column. */
  const page = async (sql: string, params: readonly Scalar[]) => {
    const row = (await read.get(sql, params)) ?? {};
    return (column: string): readonly string[] => linesOf(row[column]);
  };

  const listPage = async <T>(
    kind: keyof typeof LIST,
    user: string,
    after: FilePosition | null,
    limit: number,
    resultOf: (id: string, uploadedAt: number, value: string) => T,
  ): Promise<readonly T[]> => {
    const column = await (after === null
      ? page(LIST[kind].first, [text(user), integer(limit)])
      : page(LIST[kind].after, [text(user), integer(after.uploadedAt), text(after.id), integer(limit)]));
    const times = column('uploaded_at');
    const values = column(kind);
    return column('id').map((id, index) => resultOf(id, Number(times[index]), values[index] ?? ''));
  };

  const has = async (user: string): Promise<boolean> =>
    (await read.get(`SELECT 1 AS one ${FROM_FIRST} LIMIT 1`, [text(user)])) !== undefined;

  const findAll: FileStore['findAll'] = async (ids) => {
    const column = await page(statements.findAll, [jsonOfIds(ids), ids.length]);
    const entries = column('entry');
    return column('id').map((id, index) => ({ id, entry: entries[index] ?? '' }));
  };
  const list = makeListWithItems(
    (user, after, limit) =>
      listPage('item', user, after, limit, (id, uploadedAt, item) => ({
        id,
        uploadedAt,
        // An empty line stands for NULL: the record has no item.
        item: item || undefined,
      })),
    findAll,
    (items) => write([{ sql: statements.setItems, params: [JSON.stringify(items)] }]),
  );

  return {
    add: async (file) => changesOf(await write([{ sql: ADD, params: filesTable.row(file) }])) > 0,
    find: async (id) => {
      const row = await read.get(FIND, [text(id)]);
      return row && String(row.entry);
    },
    findAll,
    list,
    listSizes: async (user, after, limit) =>
      listPage('bytes', user, after, limit, (id, uploadedAt, bytes) => ({
        id,
        uploadedAt,
        bytes: Number(bytes),
      })),
    has,
    totals: async () => {
      const row = await read.get(TOTALS, []);
      const bytes = Number(row?.sizes_high ?? 0) * 2 ** 32 + Number(row?.sizes_low ?? 0);
      return { files: Number(row?.files ?? 0), bytes };
    },
    remove: async (id) => changesOf(await write([{ sql: REMOVE, params: [text(id)] }])) > 0,
    removeSome: async (user, limit) => {
      for (;;) {
        const outcome = await write([{ sql: REMOVE_SOME, params: [text(user), integer(limit)] }]);
        const ids = outcome.done ? (outcome.results[0]?.rows ?? []).map(idOf) : [];
        // Tries again if a parallel unit has removed all records that this one had chosen. A limit below 1 chooses none.
        if (ids.length > 0 || limit < 1 || !(await has(user))) return ids;
      }
    },
    listRemoved: async (limit) => {
      const sql = 'SELECT id FROM files WHERE removed = 1 ORDER BY id LIMIT ?';
      return (await read.all(sql, [integer(limit)])).map(idOf);
    },
    purge: async (ids) => {
      await write([{ sql: statements.purge, params: [jsonOfIds(ids)] }]);
    },
  };
};

const linesOf = (lines: Scalar | undefined): readonly string[] =>
  typeof lines === 'string' ? lines.split('\n') : [];

const jsonOfIds = (ids: readonly string[]): string => JSON.stringify(ids.map(plainText));

/** Possible owners of files: the accounts. A tombstone has no email. */
export const makeSqlFileOwners = ({ read }: Database): FileOwners => ({
  standing: async (userId) => {
    const row = await read.get('SELECT email IS NULL AS deleted FROM accounts WHERE id = ?', [text(userId)]);
    if (row === undefined) return 'unknown';
    // On both databases a truth value is read as 1 or 0.
    return row.deleted === 1 ? 'deleted' : 'account';
  },
});
