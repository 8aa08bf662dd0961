import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../core/ports.ts';
import { type Connection, connect } from './connection.ts';
import { failureWord, isOutage, StoreUnusable, storeUnavailable } from './failures.ts';
import { migrate } from './migrate.ts';
import { checkScalars } from './scalars.ts';
import type { Outcome, Row, Scalar, Unit } from './unit.ts';
import { makeWriter, type WriteCounts } from './writer.ts';

export { StoreUnusable } from './failures.ts';

/** The embedded store. Values given are scalars, else a `TypeError`; `unavailable` while the disk fails. */
export interface Database {
  readonly read: {
    get(sql: string, params: readonly Scalar[]): Row | undefined;
    all(sql: string, params: readonly Scalar[]): readonly Row[];
  };
  /** Resolves when it is on disk, or when nothing was changed. */
  write(unit: Unit): Promise<Outcome>;
  /** Whether the last write reached the disk. After one that did not it tries, so that it can become true again. */
  canWrite(): Promise<boolean>;
  counts(): WriteCounts;
  /** Waits for the writes under way. Further calls do nothing. */
  close(): Promise<void>;
}

// Takes room as a change of some size does, and leaves nothing.
const PROBE: Unit = [
  {
    sql: 'INSERT INTO tries (key, count, first_at, ends_at) VALUES (?, 0, 0, 0)',
    params: ['?'.repeat(65_536)],
  },
  { sql: 'DELETE FROM tries WHERE key = ?', params: ['?'.repeat(65_536)] },
];

/** The file of the embedded store in a folder. */
export const storeFile = (folder: string): string => join(folder, 'gatehouse.db');

/**
 * Opens `gatehouse.db` in the folder, which is made when it is missing, and brings its schema up to date. Any number
 * of processes of one machine may do so at once. Throws `StoreUnusable`.
 */
export const openDatabase = ({ folder, log }: { folder: string; log?: Log }): Database => {
  const file = storeFile(folder);
  const reader = openReader(folder, file);
  const writer = makeWriter(file, log);
  let open = true;

  const reading = <T>(params: readonly Scalar[], query: () => T): T => {
    checkScalars(params);
    if (!open) throw storeUnavailable();
    try {
      return query();
    } catch (error) {
      if (!isOutage(error)) throw error;
      log?.warn('store.read_failed', { reason: failureWord(error) });
      throw storeUnavailable();
    }
  };

  return {
    read: {
      get: (sql, params) => reading(params, () => reader.get(sql, params)),
      all: (sql, params) => reading(params, () => reader.all(sql, params)),
    },
    write: async (unit) => {
      for (const { params } of unit) checkScalars(params);
      return writer.write(unit);
    },
    canWrite: async () => {
      if (!writer.isFailing()) return true;
      try {
        return (await writer.write(PROBE)).done;
      } catch {
        return false;
      }
    },
    counts: writer.counts,
    close: async () => {
      await writer.close();
      if (open) reader.close();
      open = false;
    },
  };
};

const openReader = (folder: string, file: string): Connection => {
  try {
    makeFile(folder, file);
    const connection = connect(file);
    migrate(connection);
    connection.exec('PRAGMA query_only = ON; PRAGMA busy_timeout = 5000');
    return connection;
  } catch (error) {
    if (error instanceof StoreUnusable) throw error;
    throw new StoreUnusable(`opening it failed (${reasonOf(error)})`);
  }
};

const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : failureWord(error);

/** Ours alone to read. An existing file is not touched: closing it would drop this process's locks on it. */
const makeFile = (folder: string, file: string) => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (reasonOf(error) !== 'EEXIST') throw error;
  }
};
