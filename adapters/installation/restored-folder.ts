import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, linkOnce, syncFolder } from '../files/draft.ts';
import { storeFile } from '../sqlite/database.ts';
import { isThere, lockFile, restoringFolder } from '../sqlite/restoring.ts';
import { NAMES } from './backup.ts';

/** `DATA_DIR` holds something: nothing was restored. */
export class FolderNotEmpty extends Error {
  constructor(folder: string, why = '') {
    super(`DATA_DIR ${folder} is not empty: a backup is restored into an empty folder only.${why}`);
    this.name = 'FolderNotEmpty';
  }
}

const inodeOf = async (path: string): Promise<number | undefined> =>
  (await stat(path).catch(() => undefined))?.ino;

/** Where a restore has what it unpacked, and where that belongs. */
const placesIn = (dataDir: string) => {
  const folder = restoringFolder(dataDir);
  return {
    folder,
    unpacked: { store: join(folder, NAMES.store), objects: join(folder, NAMES.objects) },
    placed: { store: storeFile(dataDir), objects: join(dataDir, NAMES.objects) },
  };
};

/**
 * Objects first, which nobody looks for without a store. The store comes by one step, which fails where another is there:
 * a server of a version that knows no hold may have made it.
 */
export const putInPlace = async (dataDir: string): Promise<void> => {
  const { unpacked, placed } = placesIn(dataDir);
  if (isThere(placed.store)) throw new FolderNotEmpty(dataDir);
  await rename(unpacked.objects, placed.objects);
  if (!(await linkOnce(unpacked.store, placed.store))) throw new FolderNotEmpty(dataDir);
  await syncFolder(placed.store);
};

/** Removes what a restore has made, this one or one that was killed, unless it has put its store in place. */
export const takeBack = async (dataDir: string): Promise<void> => {
  const { folder, unpacked, placed } = placesIn(dataDir);
  const hasMovedObjects = isThere(unpacked.store) && !isThere(unpacked.objects);
  const isPlaced = (await inodeOf(unpacked.store)) === (await inodeOf(placed.store));
  // Neither here nor there where this was killed while it removed them.
  if (hasMovedObjects && !isPlaced && isThere(placed.objects)) await rename(placed.objects, unpacked.objects);
  await rm(folder, { recursive: true, force: true });
};

/** Refuses a folder that holds something else than what a restore that was killed has left. Throws `FolderNotEmpty`. */
export const requireEmpty = async (dataDir: string): Promise<void> => {
  const { folder, unpacked, placed } = placesIn(dataDir);
  const names = await readdir(dataDir).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  });
  const ours = new Set([lockFile(dataDir), folder]);
  if (isThere(unpacked.store) && !isThere(unpacked.objects)) ours.add(placed.objects);
  if (names.every((name) => ours.has(join(dataDir, name)))) return;
  const store = await inodeOf(placed.store);
  const wasRestored = store !== undefined && store === (await inodeOf(unpacked.store));
  throw new FolderNotEmpty(
    dataDir,
    wasRestored ? ` A restore before this one has put the store in place: remove ${folder}, and go on.` : '',
  );
};
