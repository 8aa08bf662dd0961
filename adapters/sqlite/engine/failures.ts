import { basename } from 'node:path';
import { isError } from '../../calls/is-error.ts';
import { StoreUnusable } from '../../store.ts';
import { sqlite } from './libsql.ts';

// https://www.sqlite.org/rescode.html: the low byte is the primary code. Faults of a statement are ERROR, TOOBIG, CONSTRAINT,
// MISMATCH, MISUSE and RANGE; the codes of `UNIQUE` are CONSTRAINT_PRIMARYKEY, CONSTRAINT_UNIQUE and CONSTRAINT_ROWID.
const BUSY = 5;
const FAULTS_OF_A_STATEMENT = new Set([1, 18, 19, 20, 21, 25]);
const UNIQUE = new Set([1555, 2067, 2579]);

/** The result code of an SQLite error; 0 for other errors. */
const codeOf = (error: unknown): number => (error instanceof sqlite().SqliteError ? (error.rawCode ?? 0) : 0);

/** The primary result code of an SQLite error; 0 for other errors. */
export const primaryCode = (error: unknown): number => codeOf(error) & 0xff;

/** Another connection holds the lock. */
export const isBusy = (error: unknown): boolean => primaryCode(error) === BUSY;

/** A row with the same key exists. */
export const isUnique = (error: unknown): boolean => UNIQUE.has(codeOf(error));

/** The database or the disk under it failed, rather than the statement being wrong. */
export const isOutage = (error: unknown): boolean => {
  const code = primaryCode(error);
  return code !== 0 && !FAULTS_OF_A_STATEMENT.has(code);
};

/** Words of `failureWord` for a file that is damaged or no database. */
export const DAMAGE: ReadonlySet<string> = new Set(['SQLITE_CORRUPT', 'SQLITE_NOTADB']);

/** A word for the log: the result code. The message may quote values and is never logged. */
export const failureWord = (error: unknown): string => {
  if (error instanceof sqlite().SqliteError) return error.code;
  return isError(error) ? error.name : 'unknown';
};

/** The driver's code is empty if it cannot open the file. */
const reasonOf = (error: unknown): string =>
  isError(error) && 'code' in error ? String(error.code) || 'SQLITE_CANTOPEN' : failureWord(error);

const DISK_FAILED = /^SQLITE_(READONLY|IOERR|FULL|CANTOPEN)/;

/** The error of a file that cannot be opened. */
export const toStoreUnusable = (error: unknown, file: string): StoreUnusable => {
  if (error instanceof StoreUnusable) return error;
  const reason = reasonOf(error);
  if (DAMAGE.has(reason))
    return new StoreUnusable(`${basename(file)} is damaged or no database (${reason}): restore a backup`);
  const hint = DISK_FAILED.test(reason) ? `: the disk of ${file} may be full or read-only` : '';
  return new StoreUnusable(`opening it failed (${reason})${hint}`);
};
