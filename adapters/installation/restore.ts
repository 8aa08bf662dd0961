import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../config/types.ts';
import { makeDataDir } from '../data-dir.ts';
import { BrokenArchive, contentOf, readTar, type TarMember } from '../files/tar.ts';
import { holdToRestore, restoringFolder } from '../sqlite/restoring.ts';
import { adoptStore } from '../sqlite/snapshot.ts';
import { type LeftOut, leftOutBy, NAMES, OBJECT } from './backup.ts';
import { requireEmbeddedStore, requireOwnFolder } from './existing-store.ts';
import { putInPlace, requireEmpty, takeBack } from './restored-folder.ts';

export interface RestoreReport {
  readonly dataDir: string;
  readonly objects: number;
  /** What must be put in place before the start. */
  readonly leftOut: LeftOut;
}

const LONGEST_LIST = 2 ** 30;

const textOf = async (file: string, member: TarMember): Promise<string> => {
  if (member.size > LONGEST_LIST) throw new BrokenArchive(`${member.name} is too long`);
  const parts: Uint8Array[] = [];
  for await (const part of contentOf(file, member)) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
};

/** Writes a member's content to a new file, and gives its SHA-256. */
const unpack = async (file: string, member: TarMember, to: string): Promise<string> => {
  const hash = createHash('sha256');
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await pipeline(
    contentOf(file, member),
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

/** Unpacks everything into a folder. Gives the number of objects. */
const unpackAll = async (file: string, folder: string): Promise<number> => {
  const sums = new Map<string, string>();
  let listed: string | undefined;
  // There even without any: where it is missing, the objects are in their place.
  await mkdir(join(folder, NAMES.objects), { recursive: true, mode: 0o700 });
  for await (const member of readTar(file)) {
    const { name } = member;
    if (name === NAMES.sums) listed = await textOf(file, member);
    else if (name === NAMES.note) continue;
    else if (name === NAMES.store || OBJECT.test(name))
      sums.set(name, await unpack(file, member, join(folder, name)));
    else throw new BrokenArchive('it holds a file that no backup has');
  }
  const lines = new Set(listed?.split('\n'));
  for (const [name, sum] of sums) {
    if (!lines.has(`${sum}  ${name}`)) throw new BrokenArchive(`${name} is not what its checksum says`);
  }
  // A line each, one for the note, and nothing behind the last line break.
  if (!sums.has(NAMES.store) || lines.size !== sums.size + 2) throw new BrokenArchive('it is not whole');
  adoptStore(join(folder, NAMES.store));
  return sums.size - 1;
};

/**
 * Puts a backup in place: all of it, or nothing. One that was killed is run again. Throws `FolderNotEmpty`,
 * `FolderTaken`, `BrokenArchive`, `NoStoreHere` for another user's folder and where another store is in use, and
 * `StoreUnusable` for a store of a newer version.
 */
export const restoreStore = async (config: Config, file: string): Promise<RestoreReport> => {
  const { dataDir } = config;
  requireEmbeddedStore(config);
  requireOwnFolder(config);
  await requireEmpty(dataDir);
  makeDataDir(dataDir);
  const hold = holdToRestore(dataDir);
  try {
    await requireEmpty(dataDir);
    await takeBack(dataDir);
    try {
      const objects = await unpackAll(file, restoringFolder(dataDir));
      await putInPlace(dataDir);
      return { dataDir, objects, leftOut: leftOutBy(config) };
    } finally {
      await takeBack(dataDir);
    }
  } finally {
    hold.release();
  }
};
