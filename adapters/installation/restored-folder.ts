import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, linkIfFree, syncFolderOf } from '../files/atomic-write.ts';
import { storeFile } from '../sqlite/database.ts';
import { isThere, lockFile, restoringFolder } from '../sqlite/restore-lock.ts';
import { NAMES } from './backup.ts';
import { folderNotEmpty } from './installation-error.ts';

const inodeOf = async (path: string): Promise<number | undefined> =>
  (await stat(path).catch(() => undefined))?.ino;

/** Whether both paths name one existing file. A store that was put in place is a hard link to the unpacked one. */
const isSameFile = async (first: string, second: string): Promise<boolean> => {
  const inode = await inodeOf(first);
  return inode !== undefined && inode === (await inodeOf(second));
};

/** Where a restore unpacks store and objects, and where they belong. */
const placesIn = (dataDir: string) => {
  const folder = restoringFolder(dataDir);
  return {
    folder,
    unpacked: { store: join(folder, NAMES.store), objects: join(folder, NAMES.objects) },
    placed: { store: storeFile(dataDir), objects: join(dataDir, NAMES.objects) },
  };
};

/** Whether a restore has moved its objects to the data folder: it makes their folder before it unpacks the store. */
const hasMovedObjects = ({ unpacked }: ReturnType<typeof placesIn>): boolean =>
  isThere(unpacked.store) && !isThere(unpacked.objects);

/**
 * Moves the objects first, which nobody reads without a store. The store follows in one step, which fails if a store
 * exists: a server of a version without the lock may have created it.
 */
export const putInPlace = async (dataDir: string): Promise<void> => {
  const { unpacked, placed } = placesIn(dataDir);
  if (isThere(placed.store)) throw folderNotEmpty(dataDir);
  await rename(unpacked.objects, placed.objects);
  if (!(await linkIfFree(unpacked.store, placed.store))) throw folderNotEmpty(dataDir);
  await syncFolderOf(placed.store);
};

/**
 * Removes the working folder of this restore or of a killed one. If that restore had moved its objects but not put its store in
 * place, removes these objects, too.
 */
export const removeUnfinished = async (dataDir: string): Promise<void> => {
  const places = placesIn(dataDir);
  const { folder, unpacked, placed } = places;
  const isPlaced = await isSameFile(unpacked.store, placed.store);
  // The objects go back, to be removed with the folder. An earlier removal that was killed may have deleted them already.
  if (hasMovedObjects(places) && !isPlaced && isThere(placed.objects))
    await rename(placed.objects, unpacked.objects);
  await rm(folder, { recursive: true, force: true });
};

/** Rejects a folder with other files than a killed restore has left. Throws `FolderNotEmpty`. */
export const requireEmpty = async (dataDir: string): Promise<void> => {
  const places = placesIn(dataDir);
  const { folder, unpacked, placed } = places;
  const names = await readdir(dataDir).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  });
  const expected = new Set([lockFile(dataDir), folder]);
  if (hasMovedObjects(places)) expected.add(placed.objects);
  if (names.every((name) => expected.has(join(dataDir, name)))) return;
  const wasRestored = await isSameFile(unpacked.store, placed.store);
  throw folderNotEmpty(
    dataDir,
    wasRestored ? ` An earlier restore has completed: remove ${folder} and continue.` : '',
  );
};
