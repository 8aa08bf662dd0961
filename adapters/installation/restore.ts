import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../config/config-types.ts';
import { makeDataDir } from '../data-dir.ts';
import { BrokenArchive, readTar, type TarMember } from '../files/tar.ts';
import { restoringFolder, takeRestoreLock } from '../sqlite/restore-lock.ts';
import { adoptStore } from '../sqlite/snapshot.ts';
import { type LeftOut, leftOutBy, NAMES, OBJECT } from './backup.ts';
import { requireEmbeddedStore, requireOwnFolder } from './require-existing-store.ts';
import { putInPlace, removeUnfinished, requireEmpty } from './restored-folder.ts';

export interface RestoreReport {
  readonly dataDir: string;
  readonly objects: number;
  /** Files that must be put in place before the start. */
  readonly leftOut: LeftOut;
}

/** Bytes of the list of checksums. */
const LONGEST_LIST = 2 ** 30;

const textOf = async (member: TarMember): Promise<string> => {
  if (member.size > LONGEST_LIST) throw new BrokenArchive(`${member.name} is too long`);
  const parts: Uint8Array[] = [];
  for await (const part of member.content) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
};

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

/** Unpacks everything into a folder. Returns the number of objects. */
const unpackAll = async (file: string, folder: string): Promise<number> => {
  const sums = new Map<string, string>();
  let checksums: string | undefined;
  // The folder exists even without objects: a missing folder means that the objects are in their place already.
  await mkdir(join(folder, NAMES.objects), { recursive: true, mode: 0o700 });
  for await (const member of readTar(file)) {
    const { name } = member;
    if (name === NAMES.sums) checksums = await textOf(member);
    else if (name === NAMES.note) continue;
    else if (name === NAMES.store || OBJECT.test(name))
      sums.set(name, await unpack(member, join(folder, name)));
    else throw new BrokenArchive('it contains a file that no backup has');
  }
  const lines = new Set(checksums?.split('\n'));
  for (const [name, sum] of sums) {
    if (!lines.has(`${sum}  ${name}`)) throw new BrokenArchive(`${name} does not match its checksum`);
  }
  // A line for each file, a line for the note, and an empty text behind the last line break.
  if (!sums.has(NAMES.store) || lines.size !== sums.size + 2) throw new BrokenArchive('it is incomplete');
  adoptStore(join(folder, NAMES.store));
  return sums.size - 1;
};

/**
 * Restores a backup, completely or not at all. A killed restore can be repeated. Throws `FolderNotEmpty`, `FolderTaken`,
 * `BrokenArchive`, `NoStoreHere` for another user's folder or another store, `StoreUnusable` for a store of a newer
 * version, and `ConfigError` for a folder that cannot be written.
 */
export const restoreStore = async (config: Config, file: string): Promise<RestoreReport> => {
  const { dataDir } = config;
  requireEmbeddedStore(config);
  requireOwnFolder(config);
  await requireEmpty(dataDir);
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
