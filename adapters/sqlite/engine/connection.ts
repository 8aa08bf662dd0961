import type Libsql from 'libsql';
import { StoreUnusable } from '../../store-place.ts';
import { retryWhileBusy } from './busy-retry.ts';
import { Sqlite } from './libsql.ts';
import type { Result, Row, Scalar, Statement } from './statements.ts';

/** One SQLite connection; every call blocks its thread. */
export interface Connection {
  get(sql: string, params: readonly Scalar[]): Row | undefined;
  all(sql: string, params: readonly Scalar[]): readonly Row[];
  run(statement: Statement): Result;
  exec(sql: string): void;
  inTransaction(): boolean;
  close(): void;
}

// Whole numbers go in as bigint: the driver would bind them as floating point.
const bound = (params: readonly Scalar[]) =>
  params.map((param) => (typeof param === 'number' && Number.isInteger(param) ? BigInt(param) : param));

/** Opens the file as it is, without any setting. A call fails at once while another process holds the lock. */
export const connectAsItIs = (file: string): Connection => {
  const database = new Sqlite(file);
  const prepared = new Map<string, Libsql.Statement<unknown[]>>();

  const prepare = (sql: string) => {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };

  const all = (sql: string, params: readonly Scalar[]) => prepare(sql).all(bound(params)) as Row[];

  return {
    all,
    get: (sql, params) => prepare(sql).get(bound(params)) as Row | undefined,
    // `run` and `get` would leave a RETURNING statement half done, and the transaction with it.
    run: ({ sql, params }) => {
      if (!prepare(sql).reader) return { changes: prepare(sql).run(bound(params)).changes, rows: [] };
      const rows = all(sql, params);
      return { changes: rows.length, rows };
    },
    exec: (sql) => {
      database.exec(sql);
    },
    inTransaction: () => database.inTransaction,
    close: () => {
      prepared.clear();
      database.close();
    },
  };
};

/**
 * The same, in WAL mode, and durable unless a loss of power may undo what was committed. What is deleted is overwritten
 * in the file with the next checkpoint; a file that is not durable anyway keeps it in pages that are free as a whole.
 */
export const connect = (file: string, durable = true): Connection => {
  const connection = connectAsItIs(file);
  try {
    retryWhileBusy(() => setUp(connection, durable));
  } catch (error) {
    connection.close();
    throw error;
  }
  return connection;
};

// What REPLACE takes away fires triggers only where they may be recursive: counts are kept by them.
// No memory map: its pages would count as the process's own, and the page cache serves as well.
const setUp = (connection: Connection, durable: boolean) => {
  // Before anything else: a new file would be synced four times on its way to WAL mode.
  if (!durable) connection.exec('PRAGMA synchronous = OFF');
  // To its last row: `get` would not hear of a failure to commit the change.
  const [answer] = connection.all('PRAGMA journal_mode = WAL', []);
  if (answer?.journal_mode !== 'wal') {
    throw new StoreUnusable('its file system does not allow a write-ahead log');
  }
  connection.exec(`
    ${durable ? 'PRAGMA synchronous = FULL;' : ''}
    PRAGMA secure_delete = ${durable ? 'ON' : 'FAST'};
    PRAGMA foreign_keys = OFF;
    PRAGMA recursive_triggers = ON;
    PRAGMA cache_size = -8000;
    PRAGMA journal_size_limit = 16777216;
  `);
};
