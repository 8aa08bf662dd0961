import { rmSync } from 'node:fs';
import type { Log } from '../../../core/ports.ts';
import type { Calls, Counted } from './counts.ts';
import { type FileCounts, openFileCounts } from './file-counts.ts';
import { Sqlite } from './libsql.ts';
import { makeMemoryCounts } from './memory-counts.ts';

/** Counts that are always to be had: from the shared file, or from memory while that fails. */
export interface LastingCounts {
  /** Undefined while another process writes to the file: ask again in a moment, unless there is no more `patience`. */
  add(
    calls: ReadonlyMap<string, Calls>,
    now: number,
    patience: boolean,
  ): ReadonlyMap<string, Counted> | undefined;
  /** To be called now and then: drops old windows and sees whether the file was replaced; true: come again at once. */
  tend(now: number): boolean;
  /** Lets go of the file; what comes later is counted in memory. */
  close(): void;
}

/** Milliseconds until a file that failed is tried again. */
const RETRY = 5_000;

// https://www.sqlite.org/rescode.html: the low byte is the primary code.
const BUSY = 5;
/** SQLITE_ERROR (another schema), SQLITE_CORRUPT, SQLITE_NOTADB: a new file mends it. */
const BROKEN = new Set([1, 11, 26]);

const codeOf = (error: unknown): number =>
  error instanceof Sqlite.SqliteError ? (error.rawCode ?? 0) & 0xff : -1;

/** A word for the log, never the text, which may quote a path or values. */
const wordFor = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unopened';

export const makeLastingCounts = (file: string, log: Log): LastingCounts => {
  const memory = makeMemoryCounts();
  let shared: FileCounts | undefined;
  let retryAt = 0;
  let failing = false;
  let closed = false;

  const letGo = () => {
    try {
      shared?.close();
    } catch {
      // It failed before; there is nothing left to lose.
    }
    shared = undefined;
  };

  const removeFile = () => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  };

  const onFailure = (error: unknown) => {
    if (!failing) log.warn('limiter.apart', { reason: wordFor(error) });
    failing = true;
    retryAt = performance.now() + RETRY;
    letGo();
  };

  const onSuccess = () => {
    if (failing) log.info('limiter.shared');
    failing = false;
  };

  const useFile = <T>(use: (counts: FileCounts) => T): T => {
    try {
      shared ??= openFileCounts(file);
      return use(shared);
    } catch (error) {
      if (!BROKEN.has(codeOf(error))) throw error;
      letGo();
      removeFile();
      log.warn('limiter.recreated', { reason: wordFor(error) });
      shared = openFileCounts(file);
      return use(shared);
    }
  };

  return {
    add: (calls, now, patience) => {
      if (closed || (failing && performance.now() < retryAt)) return memory.add(calls, now);
      try {
        const counted = useFile((counts) => counts.add(calls, now));
        onSuccess();
        return counted;
      } catch (error) {
        if (patience && codeOf(error) === BUSY) return undefined;
        onFailure(error);
        return memory.add(calls, now);
      }
    },
    tend: (now) => {
      memory.sweep(now);
      if (shared === undefined) return false;
      try {
        if (shared.isInPlace()) return shared.sweep(now);
        letGo();
      } catch (error) {
        if (codeOf(error) !== BUSY) onFailure(error);
      }
      return false;
    },
    close: () => {
      closed = true;
      letGo();
    },
  };
};
