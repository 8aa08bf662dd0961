import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { storeUnavailable } from '../../calls/store-calls.ts';
import {
  checkScalars,
  type Database,
  type Outcome,
  type Row,
  type Scalar,
  type Unit,
} from '../../sql/database.ts';
import { type BatchAnswer, outcomeOf, runBatch } from './batch.ts';
import { type Connection, connect, connectRaw } from './connection.ts';
import { failureWord, isOutage, toStoreUnusable } from './failures.ts';
import { createIfMissing, fileIdOf } from './file-lock.ts';
import { makeWriter, type Report, type WriteCounts, type Writer } from './group-commit.ts';
import { type MigrationOptions, migrate } from './migrate.ts';

/** Reads that block the thread. */
export interface SyncQueries {
  get(sql: string, params: readonly Scalar[]): Row | undefined;
  all(sql: string, params: readonly Scalar[]): readonly Row[];
}

/** A database in a file or in memory. Calls throw `TypeError` for values that are no scalars, `unavailable` if the disk fails. */
export interface DatabaseFile {
  readonly read: SyncQueries;
  /** Resolves after the commit, or once the unit turns out to change nothing. A commit is on disk if the file is durable. */
  write(unit: Unit): Promise<Outcome>;
  /** Writes at once, on this thread: a start writes little, and need not wait for the writer thread to begin. */
  writeNow(unit: Unit): Outcome;
  /**
   * Whether `write` failed and no later `write` changed anything. A write without a change does not count: it succeeds on a full
   * disk, too.
   */
  isFailing(): boolean;
  counts(): WriteCounts;
  /** Waits for the writes under way. Closing again has no effect; reads and writes then throw `unavailable`. */
  close(): Promise<void>;
}

export interface EmbeddedDatabase extends Database, Pick<DatabaseFile, 'counts' | 'close'> {
  /** Whether writes reach the disk. After a failed write it writes a probe to find out. */
  canWrite(): Promise<boolean>;
}

/**
 * Opens the file, and creates it and its folder if they are missing. Upgrades the schema unless `upgrades` is false. Any
 * number of processes of one machine may call this at once. Throws `StoreUnusable`.
 */
export const openDatabaseFile = (
  options: Pick<MigrationOptions, 'migrations' | 'onUpgrade'> & {
    readonly file: string;
    readonly upgrades?: boolean;
    /** False: an acknowledged write survives the end of the process, but perhaps not a loss of power. */
    readonly durable: boolean;
    readonly report: Report;
  },
): DatabaseFile => {
  const { file, durable, report } = options;
  const connection = openConnection(file, durable, { upgrades: true, ...options });
  // A file that is not durable, such as the cache, is opened by `makeReplaceableFile`, which checks this itself.
  const isMoved = durable ? moveCheckOf(file) : undefined;
  return databaseOn(connection, report, makeWriter({ file, durable }, report, isMoved));
};

/** Returns a function that tells whether the present file was moved, deleted or replaced since this call. */
const moveCheckOf = (file: string) => {
  const openedId = fileIdOf(file);
  return (): boolean => {
    try {
      return fileIdOf(file) !== openedId;
    } catch {
      // The file cannot be looked up, for example without the right to search its folder, but it may still be there.
      return false;
    }
  };
};

/** An empty database in memory, without the writer thread: each write is done at once. */
export const openMemoryDatabase = (migrations: readonly string[]): DatabaseFile => {
  const connection = connectRaw(':memory:');
  migrate(connection, { migrations, upgrades: true });
  return databaseOn(connection, () => undefined);
};

/** Reads, and writes of a start, run on the connection; other writes run on the writer if there is one. */
const databaseOn = (connection: Connection, report: Report, writer?: Writer): DatabaseFile => {
  let open = true;

  const runQuery = <T>(params: readonly Scalar[], query: () => T): T => {
    checkScalars(params);
    if (!open) throw storeUnavailable();
    try {
      return query();
    } catch (error) {
      if (!isOutage(error)) throw error;
      report('read_failed', { reason: failureWord(error) });
      throw storeUnavailable();
    }
  };

  const writeNow = (unit: Unit): Outcome => {
    for (const { params } of unit) checkScalars(params);
    if (!open) throw storeUnavailable();
    const answer = writer === undefined ? runBatch(connection, [unit]) : runBesideWriter(connection, unit);
    if ('answers' in answer) return outcomeOf(answer.answers[0]);
    report('write_failed', { reason: answer.failure, count: 1 });
    throw storeUnavailable();
  };

  return {
    read: {
      get: (sql, params) => runQuery(params, () => connection.get(sql, params)),
      all: (sql, params) => runQuery(params, () => connection.all(sql, params)),
    },
    write: async (unit) => {
      if (writer === undefined) return writeNow(unit);
      for (const { params } of unit) checkScalars(params);
      return writer.write(unit);
    },
    writeNow,
    isFailing: () => writer?.isFailing() ?? false,
    counts: () => writer?.counts() ?? { commits: 0, units: 0 },
    close: async () => {
      await writer?.close();
      if (open) connection.close();
      open = false;
    },
  };
};

/** The connection refuses writes once the schema is up to date, so that only the writer and `runBesideWriter` write. */
const openConnection = (file: string, durable: boolean, migration: MigrationOptions): Connection => {
  try {
    createFile(file);
    const connection = connect(file, durable);
    try {
      migrate(connection, migration);
      connection.exec('PRAGMA busy_timeout = 5000; PRAGMA query_only = ON');
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  } catch (error) {
    throw toStoreUnusable(error, file);
  }
};

const runBesideWriter = (connection: Connection, unit: Unit): BatchAnswer => {
  connection.exec('PRAGMA query_only = OFF');
  try {
    return runBatch(connection, [unit]);
  } finally {
    connection.exec('PRAGMA query_only = ON');
  }
};

/** Creates a missing file and its folder, readable by this system user alone. */
export const createFile = (file: string) => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  createIfMissing(file);
};
