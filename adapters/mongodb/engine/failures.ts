import {
  MongoAPIError,
  MongoBulkWriteError,
  MongoError,
  MongoNetworkError,
  MongoRuntimeError,
  MongoServerError,
  MongoServerSelectionError,
  MongoWriteConcernError,
} from 'mongodb';
import { isError } from '../../calls/is-error.ts';
import { type NoConnection, noTls, wrongSetting } from '../../store.ts';

/** The effect of an earlier attempt is not known yet. */
export class Unsettled extends MongoError {
  constructor() {
    super('The effect of a call is not known yet.');
  }

  override get name(): string {
    return 'Unsettled';
  }
}

const DUPLICATE = 11000;

/** Only the code is read: compatible servers report nothing else, and reliably only for `insertOne` and `updateOne`. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === DUPLICATE;

/** False if the write failed because of a duplicate key. */
export const unlessDuplicate = async (write: Promise<unknown>): Promise<boolean> => {
  try {
    await write;
    return true;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
};

/** Some of many documents have duplicate keys, and nothing else failed. */
export const isDuplicateOfMany = (error: unknown): boolean => {
  if (!(error instanceof MongoBulkWriteError)) return isDuplicate(error);
  const errors = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
  return errors.length > 0 && errors.every(({ code }) => code === DUPLICATE);
};

// Write conflicts and deadlocks, by the codes of MongoDB and of compatible services.
const CONFLICTS = new Set<unknown>([112, 251, 16908292]);
// Codes of https://github.com/mongodb/specifications, retryable writes and change streams: no primary, of the replica set or of a
// shard; a primary that is stepping down; a broken connection between servers; a lost cursor; outdated routing; a write that no
// majority confirmed in time.
const FAIL_OVERS = new Set<unknown>([
  6, 7, 43, 63, 64, 89, 91, 133, 134, 189, 262, 9001, 10107, 10058, 11600, 11602, 13388, 13435, 13436, 234,
]);
const CONFLICT_TEXT = /deadlock|write conflict|could not serialize|40001|40P01/i;

/** A write conflict or a deadlock with another call. */
export const isConflict = (error: unknown): boolean =>
  error instanceof MongoServerError && (CONFLICTS.has(error.code) || CONFLICT_TEXT.test(error.message));

const codeOf = (error: unknown): string | undefined =>
  isError(error) && 'code' in error ? String(error.code) : undefined;

const SOCKET_CODE = /^(?:E[A-Z]+|ERR_(?:SOCKET|SSL|STREAM|TLS)_\w+)$/;

/** The driver passes on Node's own error if a connection breaks while a command waits to be written. */
const isSocketError = (error: unknown): boolean =>
  isError(error) && !(error instanceof MongoError) && SOCKET_CODE.test(codeOf(error) ?? '');

/** The driver wraps the failure of a bulk write in an error of its own unless the server has answered. */
const bulkWriteCause = (error: unknown): unknown =>
  error instanceof MongoBulkWriteError && isError(error.errorResponse) ? error.errorResponse : error;

/** Whether a repetition may succeed at once. The effect of the failed call is unknown. */
export const isPassing = (failure: unknown): boolean => {
  const error = bulkWriteCause(failure);
  if (error instanceof MongoNetworkError || error instanceof MongoWriteConcernError) return true;
  if (error instanceof Unsettled || isConflict(error) || isSocketError(error)) return true;
  if (!(error instanceof MongoServerError)) return false;
  return FAIL_OVERS.has(error.code) || error.hasErrorLabel('RetryableWriteError');
};

const AUTHENTICATION_FAILED = 18;
const UNAUTHORIZED = 13;
/** Of Atlas, for a wrong password and for a full cluster. */
const ATLAS_ERROR = 8000;

// Time limit exceeded, disk full, interrupted by an operator, a fault of the server's own (internal, unknown error), too few
// members for a majority, too many requests (also those of Cosmos DB).
const FAULTS = new Set<unknown>([50, 14031, 11601, 1, 8, 100, 462, 16500]);
// The password was changed, or rights were taken away, while the process runs.
const REFUSALS = new Set<unknown>([AUTHENTICATION_FAILED, UNAUTHORIZED, ATLAS_ERROR]);

const isFaultOrRefusal = ({ code }: MongoServerError) => FAULTS.has(code) || REFUSALS.has(code);

/** The server or the connection failed. Errors of the driver itself count as such, even for a wrong argument. */
export const isOutage = (failure: unknown): boolean => {
  const error = bulkWriteCause(failure);
  if (isPassing(error)) return true;
  return error instanceof MongoServerError ? isFaultOrRefusal(error) : error instanceof MongoError;
};

/** The server answered that it failed: a conflict, or a fault of its own, not of the connection. */
export const isAnswer = (error: unknown): boolean =>
  isConflict(error) || (error instanceof MongoServerError && isFaultOrRefusal(error));

/** A word for the log: name and code. The message may quote values and is never logged. */
export const failureWord = (failure: unknown): string => {
  const error = bulkWriteCause(failure);
  if (error instanceof MongoServerError) return `${error.name}:${error.code ?? '-'}`;
  return isError(error) ? error.name : 'unknown';
};

/** The user may not write. That it may read is known: a connection counts as open only after a read. */
export const isRefused = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === UNAUTHORIZED;

const causeOf = (error: unknown): unknown => {
  if (error instanceof MongoServerSelectionError) {
    const [server] = [...(error.reason?.servers?.values() ?? [])];
    return server?.error?.cause ?? server?.error ?? error;
  }
  return error;
};

/** The driver removes servers of another replica set from its list, but keeps servers that do not answer. */
const isOfAnotherSet = (error: unknown): boolean =>
  error instanceof MongoServerSelectionError &&
  error.reason?.setName != null &&
  error.reason.servers.size === 0;

/** The parser of URLs is a package of its own, whose error has the name of the driver's `MongoParseError`. */
const isUnreadableUrl = (error: unknown): boolean =>
  error instanceof TypeError ||
  (isError(error) && error.name === 'MongoParseError') ||
  (error instanceof MongoRuntimeError && error.message.startsWith('Unable to parse'));

/** Explains why no connection can be made, without any part of the URL. */
export const whyNoConnection = (error: unknown): NoConnection => {
  if (error instanceof MongoServerError && [AUTHENTICATION_FAILED, ATLAS_ERROR].includes(Number(error.code)))
    return wrongSetting('the server refuses the user or the password');
  if (error instanceof MongoServerError && error.code === UNAUTHORIZED)
    return wrongSetting('the server asks for a user and a password, or the user may not use this database');
  if (isUnreadableUrl(error)) return wrongSetting('is not an address that the driver understands');
  if (error instanceof MongoAPIError)
    return wrongSetting('has options that fit neither each other nor this server');
  if (isOfAnotherSet(error))
    return wrongSetting('the servers there do not belong to the replica set that it names');
  const cause = causeOf(error);
  const code = codeOf(cause);
  // The URL names a file that cannot be opened. Failures of a socket have other system calls, such as `connect`.
  const isFileUnreadable = isError(cause) && 'syscall' in cause && cause.syscall === 'open';
  if (code !== undefined && (isFileUnreadable || /CERT|VERIFY|SSL|TLS/.test(code))) return noTls(code);
  return { word: `no server answers there (${code ?? failureWord(cause)})`, isSetting: false };
};
