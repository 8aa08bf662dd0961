import type Libsql from 'libsql';
import { createFile } from '../engine/database-file.ts';
import { sqlite } from '../engine/libsql.ts';
import type { Counts } from './memory-counts.ts';

export interface FileCounts extends Counts {
  close(): void;
}

/** Fails if the file has other tables. */
export const PROBE = 'SELECT key, count, ends FROM windows LIMIT 1';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS windows (
    key TEXT PRIMARY KEY,
    count INTEGER NOT NULL,
    ends INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`;

// One statement is one transaction: no lock is held between two calls of the driver. `->>` reads from JSON. Without
// `WHERE true` SQLite would read ON CONFLICT as the ON of a join. `min`: a clock that is set back makes no window longer.
const ADD = `
  INSERT INTO windows (key, count, ends)
  SELECT value ->> 0, value ->> 1, ?2 + (value ->> 2) FROM json_each(?1) WHERE true
  ON CONFLICT (key) DO UPDATE SET
    count = excluded.count + iif(ends > ?2, count, 0),
    ends = iif(ends > ?2, min(ends, excluded.ends), excluded.ends)
  RETURNING key, count, ends`;

/** Read in a fraction of a millisecond. */
const ROWS_PER_STEP = 200;
const PAGE = `SELECT key, ends FROM windows WHERE key > ?1 ORDER BY key LIMIT ${ROWS_PER_STEP}`;
const DROP = `DELETE FROM windows WHERE key > ?1 AND key <= ?2 AND ends <= ?3`;

/** Pages of the write-ahead log between checkpoints. A checkpoint blocks, so each one is kept short. */
const CHECKPOINT_PAGES = 100;

const setUp = (database: Libsql.Database) => {
  try {
    // This comes first: the change to WAL mode would sync a new file four times.
    database.exec('PRAGMA synchronous = OFF');
    database.exec('PRAGMA journal_mode = WAL');
    database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    database.exec(SCHEMA);
    return {
      add: database.prepare(ADD).raw(true),
      page: database.prepare(PAGE).raw(true),
      drop: database.prepare(DROP),
    };
  } catch (error) {
    database.close();
    throw error;
  }
};

/**
 * Counts shared by every process that opens the file. Never waits: throws SQLITE_BUSY while another process writes. The
 * file may be lost, so nothing is synced to the disk.
 */
export const openFileCounts = (file: string): FileCounts => {
  createFile(file);
  const database = new (sqlite())(file);
  const { add, page, drop } = setUp(database);
  // The last key that was swept; empty, which is before all keys, to begin anew.
  let sweptTo = '';

  // Times become bigint: the driver would bind numbers as floating point.
  return {
    add: (calls, now) => {
      const batch = JSON.stringify(Array.from(calls, ([key, { count, window }]) => [key, count, window]));
      const rows = add.all(batch, BigInt(now)) as [key: string, count: number, endsAt: number][];
      return new Map(rows.map(([key, count, endsAt]) => [key, { count, endsAt }]));
    },
    // Deletes the expired windows of the next step. True if most were expired: then many more may be.
    sweep: (now) => {
      const rows = page.all(sweptTo) as [key: string, endsAt: number][];
      const expiredCount = rows.filter(([, endsAt]) => endsAt <= now).length;
      const lastKey = rows.at(-1)?.[0] ?? '';
      if (expiredCount > 0) drop.run(sweptTo, lastKey, BigInt(now));
      sweptTo = rows.length < ROWS_PER_STEP ? '' : lastKey;
      return expiredCount > ROWS_PER_STEP / 2;
    },
    close: () => database.close(),
  };
};
