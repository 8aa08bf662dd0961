import type { ErrorCode } from './error-codes.ts';

/** The kind of a refusal. Each interface (HTTP, command line) has one table from kinds to its own terms. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'missing'
  | 'conflict'
  | 'throttled'
  | 'refused'
  | 'unavailable';

/** Further facts about a refusal. All of them may be shown to the caller. */
export interface ErrorFacts {
  /** Whole seconds after which the call may be repeated. */
  readonly retryAfter?: number;
  /** Further members of the answer, such as `emailVerified: false`. */
  readonly details?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
}

/**
 * The only error that the core throws as an answer; any other error is a bug. `code` is for programs,
 * `message` is a sentence for people; neither ever holds a secret.
 */
export class CoreError extends Error {
  readonly kind: ErrorKind;
  readonly code: ErrorCode;
  readonly facts: ErrorFacts;

  constructor(kind: ErrorKind, code: ErrorCode, message: string, facts: ErrorFacts = {}) {
    super(message);
    this.name = 'CoreError';
    this.kind = kind;
    this.code = code;
    this.facts = facts;
  }
}

/** The input breaks a rule that its type cannot express. */
export const invalid = (code: ErrorCode, message: string) => new CoreError('invalid', code, message);

/** A dependency is down, a queue is full, or too many calls compete: the call may be repeated after `retryAfter` seconds. */
export const unavailable = (code: ErrorCode, message: string, retryAfter = 2) =>
  new CoreError('unavailable', code, message, { retryAfter });

/** Thrown when the KMS answers but refuses the use of the key that sealed a text. Callers get the code `kms_unavailable`. */
export class UnusableKey extends CoreError {
  constructor() {
    super('unavailable', 'kms_unavailable', 'The key that sealed this may not be used.', { retryAfter: 2 });
  }
}

/** Whether the KMS cannot open a text although it is up. */
export const isUnopenable = (error: unknown): boolean =>
  error instanceof UnusableKey || (error instanceof CoreError && error.kind === 'invalid');
