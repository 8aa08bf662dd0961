import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreUnusable } from '../../store.ts';
import { retryWhileBusy } from './busy-retry.ts';
import { type Connection, connectRaw } from './connection.ts';
import { DAMAGE, failureWord, primaryCode } from './failures.ts';
import { fileIdOf, takeFileLock } from './file-lock.ts';

/** The open connections to the file. */
interface Closable {
  close(): Promise<void> | void;
}

interface OpenFile<T> {
  readonly handle: T;
  /** Whether the file at the path is still the one that was opened. */
  isInPlace(): boolean;
}

interface ReplaceableFileOptions<T extends Closable> {
  readonly file: string;
  /** Milliseconds for which opening waits for another process. The wait blocks the thread. */
  readonly patience: number;
  /** Whether an existing file has the right format. */
  isWanted(connection: Connection): boolean;
  /** Opens the file, and creates a missing file. `failed` reports failures that appear later. */
  open(failed: (reason: string) => void): T;
  /** Called after the first failure, and `onRecovery` after the next success. */
  onFailure(reason: string): void;
  onRecovery(): void;
  /** Called after a file was deleted. The reason is a result code, `damaged` or `outdated`. */
  onDeleted?(reason: string): void;
  /** Called after the open file was given up for a new file, even if the new file cannot be opened yet. */
  onReplaced?(): void;
}

/** The time until the next attempt to open the file. */
const RETRY_MS = 5_000;

// https://www.sqlite.org/rescode.html: SQLITE_ERROR (other tables), SQLITE_CORRUPT, SQLITE_NOTADB.
const UNREADABLE = new Set([1, 11, 26]);

/**
 * A database file that may be lost, shared by the processes of the machine. A file that cannot be read or has the wrong
 * format is deleted and created anew. If another process replaced the file, the new file is opened instead. Never throws:
 * if the file cannot be opened, it is opened later.
 */
export const makeReplaceableFile = <T extends Closable>(options: ReplaceableFileOptions<T>) => {
  const { file, patience } = options;
  let openFile: (OpenFile<T> & { readonly fileId: string | undefined }) | undefined;
  let isDamaged = false;
  let retryAt = 0;
  let isFailing = false;
  let isClosed = false;
  const closing = new Set<Promise<void>>();

  /** Damage that a replaced handle reports late does not count as damage of the file that is open now. */
  const failed = (reason: string, handle: T | undefined) => {
    if (!isFailing) options.onFailure(reason);
    isFailing = true;
    isDamaged ||= DAMAGE.has(reason) && handle !== undefined && handle === openFile?.handle;
  };

  /** Why the file in place must be deleted; undefined if it is usable or missing. */
  const deletionReason = (fileId: string | undefined): string | undefined => {
    if (fileId === undefined) return undefined;
    if (isDamaged && fileId === openFile?.fileId) return 'damaged';
    const connection = connectRaw(file);
    try {
      return retryWhileBusy(() => options.isWanted(connection), patience) ? undefined : 'outdated';
    } catch (error) {
      if (UNREADABLE.has(primaryCode(error))) return failureWord(error);
      throw error;
    } finally {
      connection.close();
    }
  };

  /** Only one process of the machine does this at a time, so that none deletes a file that another has just created. */
  const openAlone = () => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const lock = takeFileLock(`${file}.lock`, 'exclusive', patience);
    if (lock === undefined) throw new StoreUnusable('another process is opening it');
    try {
      const reason = deletionReason(fileIdOf(file));
      if (reason !== undefined) {
        for (const suffix of ['-shm', '-wal', '']) rmSync(file + suffix, { force: true });
        options.onDeleted?.(reason);
      }
      let handle: T | undefined;
      const onFailure = (reason: string) => failed(reason, handle);
      handle = retryWhileBusy(() => options.open(onFailure), patience);
      const fileId = fileIdOf(file);
      return { handle, fileId, isInPlace: () => fileId !== undefined && fileIdOf(file) === fileId };
    } finally {
      lock.release();
    }
  };

  const close = (previous: OpenFile<T>) => {
    const end = (async () => previous.handle.close())().catch(() => undefined);
    closing.add(end);
    void end.then(() => closing.delete(end));
  };

  // The old file stays open until the new file exists, so that the new file gets another inode.
  const renew = () => {
    const previous = openFile;
    try {
      openFile = openAlone();
    } catch (error) {
      openFile = undefined;
      retryAt = performance.now() + RETRY_MS;
      failed(failureWord(error), undefined);
    }
    isDamaged = false;
    if (previous === undefined) return;
    close(previous);
    options.onReplaced?.();
  };

  return {
    /** Opens the file if necessary. Undefined while it cannot be opened. */
    current: (): OpenFile<T> | undefined => {
      if (isClosed) return undefined;
      if (isDamaged || (openFile === undefined && performance.now() >= retryAt)) renew();
      return openFile;
    },
    /** Call it regularly: if the file was replaced, it opens the new file. Returns the open file. */
    follow: (): OpenFile<T> | undefined => {
      if (openFile !== undefined && !openFile.isInPlace()) renew();
      return openFile;
    },
    /** Reports a failed use of the file. After damage, the next use creates the file anew. */
    failed: (reason: string) => failed(reason, openFile?.handle),
    worked: () => {
      if (isFailing) options.onRecovery();
      isFailing = false;
    },
    /** Whether a use failed, or the file could not be opened, and `worked` was not called since. */
    isFailing: () => isFailing,
    /**
     * Closes the file; some seconds later the next use opens it again. A damaged file stays open until it is replaced. Its inode
     * then tells whether it is still in place: another process may have replaced it already.
     */
    release: () => {
      if (isDamaged) return;
      retryAt = performance.now() + RETRY_MS;
      if (openFile !== undefined) close(openFile);
      openFile = undefined;
    },
    close: async () => {
      isClosed = true;
      if (openFile !== undefined) close(openFile);
      openFile = undefined;
      await Promise.all(closing);
    },
  };
};
