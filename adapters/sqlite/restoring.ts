import { statSync } from 'node:fs';
import { join } from 'node:path';
import { makeDataDir } from '../data-dir.ts';
import { StoreUnusable } from '../store-place.ts';
import { storeFile } from './database.ts';
import { type FileHold, holdFile } from './engine/file-hold.ts';

// A store comes into being by a restore or by a start, and the two are kept apart by a lock beside it. A lease, as an
// import has, lies in the store itself, which is not there yet.

/** Where a restore works. While it is there and the store is not, a restore has not ended. */
export const restoringFolder = (dataDir: string): string => join(dataDir, 'restoring');

export const lockFile = (dataDir: string): string => `${storeFile(dataDir)}.lock`;

export const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

/** A restore or a start is at work in the folder: nothing was restored. */
export class FolderTaken extends Error {
  constructor(folder: string) {
    super(
      `Another restore into DATA_DIR ${folder} is under way, or a server is just being started on it: let the restore end, or stop the server and run it again.`,
    );
    this.name = 'FolderTaken';
  }
}

/** Milliseconds. An attempt of another process that fails holds the lock for a moment, too. */
const MOMENT = 250;
/** Milliseconds: most starts have made their store by then. */
const START = 2_000;

/** For a restore: nobody else makes a store there meanwhile. Throws `FolderTaken`. */
export const holdToRestore = (dataDir: string): FileHold => {
  const hold = holdFile(lockFile(dataDir), 'exclusive', START);
  if (hold === undefined) throw new FolderTaken(dataDir);
  return hold;
};

/** Refuses a folder that a restore has left without a store. Throws `StoreUnusable`. */
export const refuseHalfRestored = (dataDir: string): void => {
  const folder = restoringFolder(dataDir);
  if (isThere(storeFile(dataDir)) || !isThere(folder)) return;
  throw new StoreUnusable(
    `a restore into it was begun and has not ended: run store restore again, or remove ${folder} to go on without it`,
  );
};

/** For whoever makes a store where there is none: no restore begins meanwhile. Throws `StoreUnusable`, `ConfigError`. */
export const holdToMakeStore = (dataDir: string): FileHold => {
  makeDataDir(dataDir);
  const hold = holdFile(lockFile(dataDir), 'shared', MOMENT);
  if (hold === undefined) {
    throw new StoreUnusable(
      `a restore into it is under way, which holds ${lockFile(dataDir)}: let store restore end, then start again`,
    );
  }
  try {
    refuseHalfRestored(dataDir);
    return hold;
  } catch (error) {
    hold.release();
    throw error;
  }
};
