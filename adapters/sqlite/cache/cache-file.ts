import { rmSync, statSync } from 'node:fs';
import { connectAsItIs } from '../engine/connection.ts';
import { type DatabaseFile, makeFile, openDatabaseFile } from '../engine/database-file.ts';
import { primaryCode } from '../engine/failures.ts';
import { patiently } from '../engine/patiently.ts';
import type { Report } from '../engine/writer.ts';
import { currentBoot, isSameBoot } from './boot.ts';
import { ABOUT, cacheSchema, FORMAT } from './cache-schema.ts';

export interface CacheFile extends Omit<DatabaseFile, 'counts' | 'isFailing' | 'writeNow'> {
  /** Its name on the disk, no other file's while this one is open. */
  readonly inode: number | undefined;
  /** Whether the file at the path is still the one that was opened. */
  isInPlace(): boolean;
}

/** Milliseconds for which another process's look at the file is waited for. */
const PATIENCE = 1_000;

const inodeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino;

const removeFile = (file: string) => {
  for (const suffix of ['-shm', '-wal', '']) rmSync(file + suffix, { force: true });
};

/** One process of the machine at a time: by a lock on an empty database, which ends with its process. */
const alone = <T>(file: string, look: () => T): T => {
  makeFile(`${file}.lock`);
  const lock = connectAsItIs(`${file}.lock`);
  try {
    patiently(() => lock.exec('BEGIN EXCLUSIVE'), PATIENCE);
    return look();
  } finally {
    lock.close();
  }
};

// https://www.sqlite.org/rescode.html: SQLITE_ERROR (other tables), SQLITE_CORRUPT, SQLITE_NOTADB.
const WRONG = new Set([1, 11, 26]);

/** Whether it is a cache of this format and boot. */
const isOurs = (file: string, boot: string): boolean => {
  const connection = connectAsItIs(file);
  try {
    const about = patiently(() => connection.get(ABOUT, []), PATIENCE);
    return about?.format === FORMAT && about.version === 1 && isSameBoot(String(about.boot), boot);
  } catch (error) {
    if (WRONG.has(primaryCode(error) ?? 0)) return false;
    throw error;
  } finally {
    connection.close();
  }
};

/**
 * Opens a cache that every process of the machine shares. Nothing in it is synced to the disk, so the file holds good
 * for one boot: after a loss of power it might lack removals that were acknowledged. One of another boot or another
 * format, and a damaged one, is thrown away and made anew; so is the one with the inode `damaged`.
 */
export const openCacheFile = (given: {
  readonly file: string;
  readonly report: Report;
  readonly boot?: string;
  readonly damaged?: number | undefined;
}): CacheFile => {
  const { file, report, boot = currentBoot(), damaged } = given;
  return alone(file, () => {
    const found = inodeOf(file);
    if (found !== undefined && (found === damaged || !isOurs(file, boot))) removeFile(file);
    const migrations = [`${cacheSchema} INSERT INTO about VALUES (${FORMAT}, '${boot}')`];
    const database = openDatabaseFile({ file, migrations, durable: false, report });
    const inode = inodeOf(file);
    return {
      read: database.read,
      write: database.write,
      close: database.close,
      inode,
      isInPlace: () => inode !== undefined && inodeOf(file) === inode,
    };
  });
};
