import { mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreUnusable } from '../../store-place.ts';
import { retryWhileBusy } from './busy-retry.ts';
import { type Connection, connectAsItIs } from './connection.ts';
import { failureWord, primaryCode } from './failures.ts';
import { holdFile } from './file-hold.ts';

/** The open connections to the file. */
interface Opened {
  close(): Promise<void> | void;
}

export interface Held<T> {
  readonly opened: T;
  /** Whether the file at the path is still the one that was opened. */
  isInPlace(): boolean;
}

/**
 * A database file that may be lost, shared by the processes of the machine. A file that cannot be read, or is not of the
 * wanted form, is deleted and made anew. A file that another process put in its place is opened instead.
 */
export interface ReplaceableFile<T> {
  /** Opens the file where that is due. Undefined while it cannot be opened. */
  current(): Held<T> | undefined;
  /** To be called now and then: opens the file that is in place, if that is another one. Gives what is open. */
  follow(): Held<T> | undefined;
  /** A use of the file failed; after damage the next use makes it anew. */
  failed(reason: string): void;
  worked(): void;
  /** Whether the last use failed, or the file could not be opened. */
  isFailing(): boolean;
  /** Closes the file; some seconds later the next use opens it again. A damaged file stays open until it is made anew. */
  letGo(): void;
  close(): Promise<void>;
}

export interface Replaceable<T extends Opened> {
  readonly file: string;
  /** Milliseconds for which opening waits for another process. It blocks the thread. */
  readonly patience: number;
  /** Whether an existing file is of the wanted form. */
  isWanted(connection: Connection): boolean;
  /** Opens the file, and makes it where it is missing. `failed` is for failures that show later. */
  open(failed: (reason: string) => void): T;
  /** Told of the first failure, and of the first success after it. */
  onFailure(reason: string): void;
  onRecovery(): void;
  /** Told that a file was deleted, and why: a result code, or `outdated`. */
  onDeleted?(reason: string): void;
  /** Told that another file is open now than before. */
  onReplaced?(): void;
}

/** Milliseconds until a file that could not be opened is tried again. */
const RETRY = 5_000;

const DAMAGE = new Set(['SQLITE_CORRUPT', 'SQLITE_NOTADB']);
// https://www.sqlite.org/rescode.html: SQLITE_ERROR (other tables), SQLITE_CORRUPT, SQLITE_NOTADB.
const UNREADABLE = new Set([1, 11, 26]);

const inodeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino;

/** Never throws: a file that cannot be opened is tried again later. */
export const makeReplaceableFile = <T extends Opened>(given: Replaceable<T>): ReplaceableFile<T> => {
  const { file, patience } = given;
  let held: (Held<T> & { readonly inode: number | undefined }) | undefined;
  let isDamaged = false;
  let retryAt = 0;
  let isFailing = false;
  let isClosed = false;
  const closing = new Set<Promise<void>>();

  const failed = (reason: string, of: T | undefined) => {
    if (!isFailing) given.onFailure(reason);
    isFailing = true;
    isDamaged ||= DAMAGE.has(reason) && of !== undefined && of === held?.opened;
  };

  /** Why the file in place is to be deleted; undefined when it is not. */
  const whyDelete = (inode: number | undefined): string | undefined => {
    if (inode === undefined) return undefined;
    if (isDamaged && inode === held?.inode) return 'damaged';
    const connection = connectAsItIs(file);
    try {
      return retryWhileBusy(() => given.isWanted(connection), patience) ? undefined : 'outdated';
    } catch (error) {
      if (UNREADABLE.has(primaryCode(error) ?? 0)) return failureWord(error);
      throw error;
    } finally {
      connection.close();
    }
  };

  /** One process of the machine at a time: nobody deletes what another one has just made. */
  const openAlone = () => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const hold = holdFile(`${file}.lock`, 'exclusive', patience);
    if (hold === undefined) throw new StoreUnusable('another process is opening it');
    try {
      const reason = whyDelete(inodeOf(file));
      if (reason !== undefined) {
        for (const suffix of ['-shm', '-wal', '']) rmSync(file + suffix, { force: true });
        given.onDeleted?.(reason);
      }
      let opened: T | undefined;
      const onFailure = (reason: string) => failed(reason, opened);
      opened = retryWhileBusy(() => given.open(onFailure), patience);
      const inode = inodeOf(file);
      return { opened, inode, isInPlace: () => inode !== undefined && inodeOf(file) === inode };
    } finally {
      hold.release();
    }
  };

  const close = (old: Held<T>) => {
    const end = (async () => old.opened.close())().catch(() => undefined);
    closing.add(end);
    void end.then(() => closing.delete(end));
  };

  // The old file is open until the new one is, so that the new one gets another inode.
  const renew = () => {
    const old = held;
    try {
      held = openAlone();
    } catch (error) {
      held = undefined;
      retryAt = performance.now() + RETRY;
      failed(failureWord(error), undefined);
    }
    isDamaged = false;
    if (old === undefined) return;
    close(old);
    given.onReplaced?.();
  };

  return {
    current: () => {
      if (isClosed) return undefined;
      if (isDamaged || (held === undefined && performance.now() >= retryAt)) renew();
      return held;
    },
    follow: () => {
      if (held !== undefined && !held.isInPlace()) renew();
      return held;
    },
    failed: (reason) => failed(reason, held?.opened),
    worked: () => {
      if (isFailing) given.onRecovery();
      isFailing = false;
    },
    isFailing: () => isFailing,
    letGo: () => {
      if (isDamaged) return;
      retryAt = performance.now() + RETRY;
      if (held !== undefined) close(held);
      held = undefined;
    },
    close: async () => {
      isClosed = true;
      if (held !== undefined) close(held);
      held = undefined;
      await Promise.all(closing);
    },
  };
};
