import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { hasCode } from '../../files/atomic-write.ts';
import { retryWhileBusy } from './busy-retry.ts';
import { type Connection, connectRaw } from './connection.ts';
import { isBusy } from './failures.ts';

/** A lock that SQLite takes on an empty file. The operating system releases it when the process ends for any reason. */
export interface FileLock {
  /** Further calls have no effect. */
  release(): void;
}

/** Readable by this system user alone. An existing file is not opened: closing it would drop this process's locks on it. */
export const createIfMissing = (file: string): void => {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
};

const acquire = {
  /** An exclusive lock. A journal on disk would be a second file. */
  exclusive: (connection: Connection, patience: number) =>
    retryWhileBusy(() => connection.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE'), patience),
  /** A shared lock: a transaction that has read holds one. */
  shared: (connection: Connection, patience: number) => {
    connection.exec('BEGIN');
    retryWhileBusy(() => connection.exec('SELECT 1 FROM sqlite_schema'), patience);
  },
};

/** Identifies the file that is at this path now; undefined if there is none. */
export const fileIdOf = (file: string): string | undefined => {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
};

/**
 * Locks the file, exclusive or shared, and creates a missing file. Blocks the thread for up to `patience` milliseconds,
 * then returns undefined if the lock is still taken. The release of an exclusive lock removes the file.
 */
export const takeFileLock = (
  file: string,
  mode: keyof typeof acquire,
  patience: number,
): FileLock | undefined => {
  for (;;) {
    createIfMissing(file);
    const fileId = fileIdOf(file);
    const lock = connectRaw(file);
    try {
      acquire[mode](lock, patience);
    } catch (error) {
      lock.close();
      if (isBusy(error)) return undefined;
      throw error;
    }
    // The previous holder may have removed the file, and then nobody else finds the file of this lock: try again.
    if (fileId === undefined || fileId !== fileIdOf(file)) {
      lock.close();
      continue;
    }
    let isLocked = true;
    return {
      release: () => {
        if (!isLocked) return;
        isLocked = false;
        if (mode === 'exclusive') rmSync(file, { force: true });
        lock.exec('ROLLBACK');
        lock.close();
      },
    };
  }
};
