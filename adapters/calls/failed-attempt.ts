/**
 * Whether an attempt may be repeated. `passing`: at once. `lasting`: a repetition at once would fail, too. `elsewhere`: like
 * `lasting`, but the cause is the subject of the call, such as an unknown key, and says nothing about the service.
 */
export type FailureKind = 'passing' | 'lasting' | 'elsewhere';

/** The reason in a word of our own for the log: the error text of a service may quote the request. */
export type FailureReason =
  | 'timeout'
  | 'unreachable'
  | 'throttled'
  | 'failed'
  | 'garbled'
  | 'credentials'
  | 'denied'
  | 'key_unusable'
  | 'no_bucket'
  | 'wrong_region'
  // The service ignores the condition `If-None-Match`.
  | 'unconditional'
  | 'rejected'
  | 'unexpected';

/** An attempt without a usable response. It holds nothing of the request or the response. */
export class FailedAttempt extends Error {
  override readonly name = 'FailedAttempt';
  readonly kind: FailureKind;
  readonly reason: FailureReason;

  constructor(kind: FailureKind, reason: FailureReason) {
    super(reason);
    this.kind = kind;
    this.reason = reason;
  }
}
