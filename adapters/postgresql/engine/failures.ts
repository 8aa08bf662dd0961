import { DatabaseError } from 'pg';
import { isError } from '../../calls/is-error.ts';
import { type NoConnection, noTls, wrongSetting } from '../../store.ts';

/** The server answers but takes no writes: it is a standby, or was made read-only. */
export class ReadOnly extends Error {
  override readonly name = 'ReadOnly';
  override readonly message = 'The server takes no writes.';
}

/** All connections were in use until the call's deadline. The server may be up. */
export class Busy extends Error {
  override readonly name = 'Busy';
  override readonly message = 'All connections are in use.';
}

export class Closed extends Error {
  override readonly name = 'Closed';
  override readonly message = 'The database is closed.';
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html
// Serialization failure, deadlock, lock not available.
const CONFLICTS = new Set(['40001', '40P01', '55P03']);
// Shutdown, crash, start, dropped database; a session or a transaction that was idle or took too long; read-only after a
// fail-over; too many connections.
const FAIL_OVER = /^(?:57P0[1-5]|25P0[34]|25006|53300)$/;
// Cancelled by a time limit; no resources such as disk or transaction numbers; I/O errors; faults of the server's own. And what
// changed while the process runs: another password; rights taken away; a database, schema, table, column, function or unique
// constraint that was dropped, or is not restored yet.
const OUTAGE = /^(?:57014|53...|54000|58...|XX...|28...|3F000|3D000|42P01|42703|42883|42P10|42501)$/;

/** The SQLSTATE of a server's error; undefined for other errors. */
export const sqlStateOf = (error: unknown): string | undefined =>
  error instanceof DatabaseError ? error.code : undefined;

const hasState = (state: string) => (error: unknown) => sqlStateOf(error) === state;

/** Another row has the unique key. */
export const isUnique = hasState('23505');

/** The user lacks a right. */
export const isRefused = hasState('42501');

/** The connection has no such prepared statement: its preparation failed, or a pooler changed the server's session. */
export const isStatementMissing = hasState('26000');

/** Another client of a pooler has prepared the statement in the same session. */
export const isStatementThere = hasState('42P05');

/**
 * The driver has no type for a lost connection. So every error counts as a lost connection, unless it is the server's or this
 * program's own. `ReadOnly` counts, too.
 */
const isConnectionFailure = (error: unknown): boolean =>
  isError(error) &&
  ![DatabaseError, TypeError, RangeError, Busy, Closed].some((type) => error instanceof type) &&
  // `CoreError` and `FailedAttempt`, which are this program's own, have a kind.
  !('kind' in error);

export const isConflict = (error: unknown): boolean => CONFLICTS.has(sqlStateOf(error) ?? '');

/** The connection, or the server behind it, is of no use any more. Class 08 of SQLSTATE is for failed connections. */
export const isLost = (error: unknown): boolean => {
  const state = sqlStateOf(error);
  if (state === undefined) return isConnectionFailure(error);
  return FAIL_OVER.test(state) || state.startsWith('08');
};

export const isPassing = (error: unknown): boolean =>
  isConflict(error) || isLost(error) || isStatementMissing(error) || isStatementThere(error);

export const isOutage = (error: unknown): boolean =>
  isPassing(error) ||
  error instanceof Busy ||
  error instanceof Closed ||
  OUTAGE.test(sqlStateOf(error) ?? '');

/** The server answered that the statement failed, and is neither down nor a standby. */
export const isAnswer = (error: unknown): boolean => sqlStateOf(error) !== undefined && !isLost(error);

/** The code of an error of the system or the server; empty for other errors. */
const codeOf = (error: unknown): string => (isError(error) && 'code' in error ? String(error.code) : '');

/** A word for the log: the SQLSTATE or the system's code. The message may quote values and is never logged. */
export const failureWord = (error: unknown): string => {
  if (!isError(error)) return 'unknown';
  // For a lost connection the driver throws a plain `Error`, mostly without a code.
  return codeOf(error) || (error.name === 'Error' ? 'connection' : error.name);
};

// Wrong password or method, no such role, no such database, no right to connect.
const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'the server refuses the user or the password',
  '28000': 'the server refuses the user or the password, or asks for TLS',
  '3D000': 'the server has no database with this name',
  '42501': 'the user may not use this database',
};

/** Explains why no connection can be made, without any part of the URL. */
export const whyNoConnection = (error: unknown): NoConnection => {
  const refusal = REFUSALS[sqlStateOf(error) ?? ''];
  if (refusal !== undefined) return wrongSetting(refusal);
  // The driver's own error when the server asks for a password.
  if (isError(error) && /password must be/.test(error.message))
    return wrongSetting('the server asks for a password, and there is none');
  const code = codeOf(error);
  const isTls = isError(error) && /SSL|certificate|self.signed/i.test(error.message);
  // A file that the URL names cannot be opened. Failures of a socket have other system calls, such as `connect`.
  const isFileUnreadable = isError(error) && 'syscall' in error && error.syscall === 'open';
  if (isTls || isFileUnreadable || /CERT|VERIFY|SSL|TLS/.test(code))
    return noTls(code || 'the server does not offer it');
  if (error instanceof TypeError || !isOutage(error))
    return wrongSetting('must be an address that the driver understands');
  return { word: `no server that takes writes answers there (${failureWord(error)})`, isSetting: false };
};
