import type Libsql from 'libsql';
import type { Result, Row, Scalar, Statement } from '../../sql/database.ts';
import { StoreUnusable } from '../../store.ts';
import { retryWhileBusy } from './busy-retry.ts';
import { sqlite } from './libsql.ts';

/** One SQLite connection; every call blocks its thread. */
export interface Connection {
  get(sql: string, params: readonly Scalar[]): Row | undefined;
  all(sql: string, params: readonly Scalar[]): readonly Row[];
  run(statement: Statement): Result;
  exec(sql: string): void;
  inTransaction(): boolean;
  close(): void;
}

// Integers become bigint: the driver would bind numbers as floating point.
const bound = (params: readonly Scalar[]) =>
  params.map((param) => (typeof param === 'number' && Number.isInteger(param) ? BigInt(param) : param));

/** Opens the file without any setting. A call fails at once while another process holds the lock. */
export const connectRaw = (file: string): Connection => {
  const database = new (sqlite())(file);
  const prepared = new Map<string, Libsql.Statement<unknown[]>>();

  const prepare = (sql: string) => {
    const cached = prepared.get(sql);
    if (cached !== undefined) return cached;
    const statement = database.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };

  const all = (sql: string, params: readonly Scalar[]) => prepare(sql).all(bound(params)) as Row[];

  return {
    all,
    get: (sql, params) => prepare(sql).get(bound(params)) as Row | undefined,
    // The driver's `run` and `get` stop after the first row, which leaves a RETURNING statement and its transaction unfinished.
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
 * Opens the file in WAL mode. If `durable` is false a loss of power may undo commits. Deleted data is overwritten in the
 * file at the next checkpoint; a file that is not durable may keep it in free pages.
 */
export const connect = (file: string, durable = true): Connection => {
  const connection = connectRaw(file);
  try {
    retryWhileBusy(() => setUp(connection, durable));
  } catch (error) {
    connection.close();
    throw error;
  }
  return connection;
};

// No memory map (`mmap_size`): its pages would count as memory of the process, and the page cache is as fast.
const setUp = (connection: Connection, durable: boolean) => {
  // This comes first: the change to WAL mode would sync a new file four times.
  if (!durable) connection.exec('PRAGMA synchronous = OFF');
  // `all` reads to the end: `get` would miss a failure to commit the change.
  const [answer] = connection.all('PRAGMA journal_mode = WAL', []);
  if (answer?.journal_mode !== 'wal') {
    throw new StoreUnusable('its file system does not allow a write-ahead log');
  }
  connection.exec(`
    ${durable ? 'PRAGMA synchronous = FULL;' : ''}
    PRAGMA secure_delete = ${durable ? 'ON' : 'FAST'};
    PRAGMA foreign_keys = OFF;
    PRAGMA cache_size = -8000;
    PRAGMA journal_size_limit = 16777216;
  `);
};
