import { DatabaseError } from 'pg';

/** The server answers but takes no writes: it is a standby, or was made read-only. */
export class ReadOnly extends Error {
  constructor() {
    super('The server takes no writes.');
    this.name = 'ReadOnly';
  }
}

/** All connections were in use until nobody waited any more. The server may be up. */
export class Busy extends Error {
  constructor() {
    super('All connections are in use.');
    this.name = 'Busy';
  }
}

export class Closed extends Error {
  constructor() {
    super('The database is closed.');
    this.name = 'Closed';
  }
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const UNIQUE = '23505';
// Serialization failure, deadlock, lock not available.
const CONFLICTS = new Set(['40001', '40P01', '55P03']);
// Shutdown, crash, start, dropped database; read-only after a fail-over; too many connections.
const FAIL_OVERS = new Set(['57P01', '57P02', '57P03', '57P04', '57P05', '25006', '53300']);
const STATEMENT_MISSING = '26000';
const STATEMENT_EXISTS = '42P05';
// Cancelled by a time limit, no resources such as disk, I/O errors; the password changed, or schema or database dropped under
// the process.
const OUTAGE = /^(?:57014|53...|58...|08...|28...|3F000|3D000|42P01)$/;

/** The SQLSTATE of a server's error; undefined for other errors. */
export const sqlStateOf = (error: unknown): string | undefined =>
  error instanceof DatabaseError ? error.code : undefined;

/** Another row has the unique key. */
export const isUnique = (error: unknown): boolean => sqlStateOf(error) === UNIQUE;

/** The user lacks a right. */
export const isRefused = (error: unknown): boolean => sqlStateOf(error) === '42501';

/** The connection has no such prepared statement: its preparation failed, or a pooler changed the server's session. */
export const isStatementMissing = (error: unknown): boolean => sqlStateOf(error) === STATEMENT_MISSING;

/** Another client of a pooler has prepared the statement in the same session. */
export const isStatementThere = (error: unknown): boolean => sqlStateOf(error) === STATEMENT_EXISTS;

/** The driver has no type for a lost connection: everything that neither the server nor our own code throws. */
const isConnectionFailure = (error: unknown): boolean =>
  error instanceof Error &&
  ![DatabaseError, TypeError, Busy, Closed].some((type) => error instanceof type) &&
  !('kind' in error);

export const isConflict = (error: unknown): boolean => CONFLICTS.has(sqlStateOf(error) ?? '');

/** The connection, or the server behind it, is of no use any more. */
export const isLost = (error: unknown): boolean => {
  const state = sqlStateOf(error);
  return state === undefined ? isConnectionFailure(error) : FAIL_OVERS.has(state) || state.startsWith('08');
};

export const isPassing = (error: unknown): boolean =>
  isConflict(error) || isLost(error) || isStatementMissing(error) || isStatementThere(error);

export const isOutage = (error: unknown): boolean =>
  isPassing(error) ||
  error instanceof Busy ||
  error instanceof Closed ||
  OUTAGE.test(sqlStateOf(error) ?? '');

/** The server answered although it failed. */
export const isAnswer = (error: unknown): boolean => sqlStateOf(error) !== undefined && !isLost(error);

/** A word for the log: the SQLSTATE or the system's code. The message may quote values and is never logged. */
export const failureWord = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error ? String(error.code) : undefined;
  return code ?? (error.constructor === Error ? 'connection' : error.name);
};
