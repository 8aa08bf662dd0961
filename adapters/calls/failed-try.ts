/**
 * Whether a try may be repeated. `passing`: at once. `lasting`: it fails until somebody acts. `elsewhere`: likewise,
 * but over what the call is about, such as a key that nobody set: it tells nothing of the service.
 */
export type FailureKind = 'passing' | 'lasting' | 'elsewhere';

/** The failure in our own words: a service's words may quote the request. */
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
  | 'unconditional'
  | 'rejected'
  | 'unexpected';

/** A try that brought no answer to the question. It holds nothing of request or answer. */
export class FailedTry extends Error {
  override readonly name = 'FailedTry';
  readonly kind: FailureKind;
  readonly reason: FailureReason;

  constructor(kind: FailureKind, reason: FailureReason) {
    super(reason);
    this.kind = kind;
    this.reason = reason;
  }
}
