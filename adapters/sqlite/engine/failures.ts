import { sqlite } from './libsql.ts';

// https://www.sqlite.org/rescode.html: the low byte is the primary code.
const BUSY = 5;
const FAULTS_OF_A_STATEMENT = new Set([1, 18, 19, 20, 21, 25]);
const UNIQUE = new Set([1555, 2067, 2579]);

const codeOf = (error: unknown): number | undefined =>
  error instanceof sqlite().SqliteError ? error.rawCode : undefined;

const primary = (code: number) => code & 0xff;

/** The primary result code of an SQLite error; undefined for other errors. */
export const primaryCode = (error: unknown): number | undefined => {
  const code = codeOf(error);
  return code === undefined ? undefined : primary(code);
};

/** Another connection holds the lock. */
export const isBusy = (error: unknown): boolean => primaryCode(error) === BUSY;

/** A row with the same key exists. */
export const isUnique = (error: unknown): boolean => UNIQUE.has(codeOf(error) ?? 0);

/** The database or the disk under it failed, rather than the statement being wrong. */
export const isOutage = (error: unknown): boolean => {
  const code = codeOf(error);
  return code !== undefined && !FAULTS_OF_A_STATEMENT.has(primary(code));
};

/** A word for the log: the result code. The message may quote values and is never logged. */
export const failureWord = (error: unknown): string => {
  if (error instanceof sqlite().SqliteError) return error.code;
  return error instanceof Error ? error.name : 'unknown';
};
