import { join } from 'node:path';
import { makeDataDir, statIfThere } from '../data-dir.ts';
import { StoreUnusable } from '../store.ts';
import { storeFile } from './database.ts';
import { type FileLock, takeFileLock } from './engine/file-lock.ts';

// A restore or a start creates the store, and a lock file beside it keeps the two apart. A lease, such as an import takes,
// needs the store, which does not exist yet.

/** The working folder of a restore. If it exists and the store does not, a restore has not ended. */
export const restoringFolder = (dataDir: string): string => join(dataDir, 'restoring');

export const lockFile = (dataDir: string): string => `${storeFile(dataDir)}.lock`;

export const isThere = (path: string): boolean => statIfThere(path) !== undefined;

/** Another restore or a start uses the folder: nothing was restored. */
export class FolderTaken extends Error {
  constructor(folder: string) {
    super(
      `Another restore into DATA_DIR ${folder} is under way, or a server is just being started on it: wait until the restore has ended, or stop the server, then run the command again.`,
    );
    this.name = 'FolderTaken';
  }
}

/** The time for which a start waits for the lock. A restore that does not get the lock still blocks starts for a moment. */
const START_TIMEOUT_MS = 250;
/** The time for which a restore waits: most starts have created their store by then. */
const RESTORE_TIMEOUT_MS = 2_000;

/** For a restore: no other process creates a store there meanwhile. Throws `FolderTaken`. */
export const takeRestoreLock = (dataDir: string): FileLock => {
  const lock = takeFileLock(lockFile(dataDir), 'exclusive', RESTORE_TIMEOUT_MS);
  if (lock === undefined) throw new FolderTaken(dataDir);
  return lock;
};

/** Rejects a folder that a restore has left without a store. Throws `StoreUnusable`. */
export const refuseHalfRestored = (dataDir: string): void => {
  const folder = restoringFolder(dataDir);
  if (isThere(storeFile(dataDir)) || !isThere(folder)) return;
  throw new StoreUnusable(
    `it has an unfinished restore: run store restore again, or remove ${folder} to continue without it`,
  );
};

/** For the creation of a store: no restore begins meanwhile, but other starts may. Throws `StoreUnusable`, `ConfigError`. */
export const takeCreationLock = (dataDir: string): FileLock => {
  makeDataDir(dataDir);
  const lock = takeFileLock(lockFile(dataDir), 'shared', START_TIMEOUT_MS);
  if (lock === undefined) {
    throw new StoreUnusable(
      `a restore into it is under way and holds ${lockFile(dataDir)}: wait until store restore has ended, then start again`,
    );
  }
  try {
    refuseHalfRestored(dataDir);
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
};
