import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../config/config-types.ts';
import { inDataDir, makeDataDir } from '../data-dir.ts';
import { BrokenArchive, readTar, type TarMember } from '../files/tar.ts';
import { restoringFolder, takeRestoreLock } from '../sqlite/restore-lock.ts';
import { adoptStore } from '../sqlite/snapshot.ts';
import { type LeftOut, leftOutBy, NAMES, OBJECT } from './backup.ts';
import { makeChecksums, readChecksums } from './checksums.ts';
import { requireEmbeddedStore, requireOwnFolder } from './require-existing-store.ts';
import { putInPlace, removeUnfinished, requireEmpty } from './restored-folder.ts';

export interface RestoreReport {
  readonly dataDir: string;
  readonly objects: number;
  /** What the backup does not contain and a start may need, such as the key files. */
  readonly leftOut: LeftOut;
}

/** Writes a member's content to a new file, and returns its SHA-256. */
const unpack = async ({ content }: TarMember, to: string): Promise<string> => {
  const hash = createHash('sha256');
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await pipeline(
    content,
    async function* (parts: AsyncIterable<Uint8Array>) {
      for await (const part of parts) {
        hash.update(part);
        yield part;
      }
    },
    createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true }),
  );
  return hash.digest('hex');
};

/** Returns the number of objects. */
const unpackAll = async (file: string, folder: string): Promise<number> => {
  let hasSums = false;
  let objects = 0;
  // The folder exists even without objects: its absence is the sign that they were moved to the data folder.
  await mkdir(join(folder, NAMES.objects), { recursive: true, mode: 0o700 });
  // The checksums of what was unpacked, each until the archive's list has confirmed it.
  const unconfirmed = makeChecksums(join(folder, 'sums'));
  try {
    for await (const member of readTar(file)) {
      const { name } = member;
      // The note is for people. A restore does not need it.
      if (name === NAMES.note) continue;
      if (name !== NAMES.sums && name !== NAMES.store && !OBJECT.test(name))
        throw new BrokenArchive('it contains a file that no backup has');
      const isRepeated = name === NAMES.sums ? hasSums : unconfirmed.has(name);
      if (isRepeated) throw new BrokenArchive('it contains a file twice');
      const sum = await unpack(member, join(folder, name));
      if (name === NAMES.sums) hasSums = true;
      else unconfirmed.add(name, sum);
      if (OBJECT.test(name)) objects += 1;
    }
    if (!hasSums || !unconfirmed.has(NAMES.store)) throw new BrokenArchive('it is incomplete');
    for await (const { name, sum } of readChecksums(join(folder, NAMES.sums))) {
      if (name === NAMES.note || unconfirmed.take(name, sum)) continue;
      throw new BrokenArchive(
        unconfirmed.has(name) ? `${name} does not match its checksum` : 'it is incomplete',
      );
    }
    if (!unconfirmed.isEmpty()) throw new BrokenArchive('it contains a file without a checksum');
  } finally {
    unconfirmed.close();
  }
  adoptStore(join(folder, NAMES.store));
  return objects;
};

/**
 * Restores a backup, completely or not at all. A killed restore can be repeated. Throws `FolderNotEmpty`, `FolderTaken`,
 * `BrokenArchive`, `NoStoreHere` for another user's folder or settings of a remote store, `StoreUnusable` for a store of a
 * newer version, and `ConfigError` for a folder that cannot be written.
 */
export const restoreStore = async (config: Config, file: string): Promise<RestoreReport> => {
  const { dataDir } = config;
  requireEmbeddedStore(config);
  requireOwnFolder(config);
  await inDataDir(requireEmpty(dataDir));
  makeDataDir(dataDir);
  const lock = takeRestoreLock(dataDir);
  try {
    // Again under the lock: another restore may have ended meanwhile.
    await requireEmpty(dataDir);
    await removeUnfinished(dataDir);
    try {
      const objects = await unpackAll(file, restoringFolder(dataDir));
      await putInPlace(dataDir);
      return { dataDir, objects, leftOut: leftOutBy(config) };
    } finally {
      // Once the store is in place, this removes only the folder for unpacking.
      await removeUnfinished(dataDir);
    }
  } finally {
    lock.release();
  }
};
