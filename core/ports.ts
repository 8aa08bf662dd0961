/** Wall clock, epoch milliseconds. */
export interface Clock {
  now(): number;
}

/** Cryptographically secure randomness. */
export interface Random {
  bytes(count: number): Uint8Array;
  /** That many random bytes as unpadded base64url. */
  text(bytes: number): string;
}

/** The fields a log line may carry. There is no place for a code, a token, a password or an email. */
export interface LogFields {
  readonly userId?: string;
  readonly sessionId?: string;
  readonly address?: string;
  readonly requestId?: string;
  readonly reason?: string;
  /** The factors that proved an identity, or should have, such as `password` and `totp`. */
  readonly factors?: readonly string[];
  readonly count?: number;
  readonly id?: string;
  /** The id of a master key. */
  readonly keyId?: string;
  readonly error?: unknown;
}

/** Structured log. `event` is a stable dotted word such as `sign_in.failed`. */
export interface Log {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/** One answered request. There is no place for a query, a body or a header. */
export interface AccessLine {
  readonly method: string;
  /** The route's path with parameter names; `-` if no route matched. */
  readonly route: string;
  /** 499 if the connection ended before the answer was sent. */
  readonly status: number;
  readonly milliseconds: number;
  readonly requestId: string;
  readonly address: string;
  readonly userId?: string;
  /** The code of the refusal. */
  readonly code?: string;
}

export type AccessLog = (line: AccessLine) => void;

/** The head of a request; names of headers are in lower case. */
export interface RequestHead {
  readonly method: string;
  readonly requestId: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Observes a request from its beginning to the end of its answer, to measure or to trace it. */
export type WatchRequest = (request: RequestHead) => {
  /** Runs the handler, once. */
  around(answer: () => Promise<void>): Promise<void>;
  /** Called when the answer was sent, or can no longer be sent. */
  end(line: AccessLine): void;
};

/**
 * One-way and keyed digests, unpadded base64url. Keyed ones use a subkey (HKDF, RFC 5869) of the configured hash
 * key, one per purpose; while the key is rotated two are live.
 */
export interface Digest {
  sha256(text: string): string;
  /** HMAC-SHA-256 under the newest key. */
  keyed(purpose: string, text: string): string;
  /** The digests under every live key, newest first: to recognise digests of an older key. */
  everyKeyed(purpose: string, text: string): readonly string[];
  /** Compares in constant time. */
  equal(a: string, b: string): boolean;
}

/** Encrypts short texts in the store, such as the code in a mail that is not sent yet. */
export interface Sealer {
  seal(text: string, context: string): string;
  /** Undefined if this installation did not seal the text for this context. */
  open(sealed: string, context: string): string | undefined;
}

/**
 * Key management: seals small secrets under a master key, which a remote service never hands out. The context is
 * authenticated with the ciphertext and must be the same at opening. Throws `unavailable` while the service is down.
 */
export interface Kms {
  seal(plain: Uint8Array, context: string): Promise<string>;
  /**
   * Throws `invalid` (`invalid_sealed`) unless this service sealed the text under this context, and `UnusableKey` if the key that
   * sealed it may not be used.
   */
  open(sealed: string, context: string): Promise<Uint8Array>;
  /** The id of the key that sealed this; undefined if the text does not have this service's form. */
  keyOf(sealed: string): string | undefined;
  /** The id of the key that seals now. */
  current(): Promise<string>;
}

/** A fixed-window allowance: `limit` calls in `seconds` from the first call of a key. */
export interface Bucket {
  readonly name: string;
  readonly limit: number;
  readonly seconds: number;
}

/** The rest of a key's allowance after a call was counted. */
export interface Budget {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds, at least 1, until the window ends. */
  readonly reset: number;
}

/**
 * Counts calls over all processes; refused calls count too. While the shared store is down each process may count its own. After
 * the clock was set back, the count stays, and its window ends at most `seconds` from now.
 */
export interface Limiter {
  take(bucket: Bucket, key: string): Promise<Budget>;
}

/** A right that one holder has at a time, such as to do one kind of background work. */
export interface Lease {
  readonly name: string;
  /** Grows whenever a free or expired lease is taken. A write is refused if an earlier one came with a higher number. */
  readonly fence: number;
}

/** The current holder of a lease, and the time of the last successful run. Times in epoch milliseconds. */
export interface LeaseStatus {
  readonly name: string;
  readonly heldBy: string | null;
  readonly lastSuccessAt: number | null;
}

export interface Leases {
  /**
   * Takes a free or expired lease, with a new fence even if the holder had it last, or renews the holder's own; undefined while
   * another holder has it. Another holder's lease that ends more than 15 s after the wanted one counts as free: it was taken
   * before the clock was set back.
   */
  take(name: string, holder: string, milliseconds: number): Promise<Lease | undefined>;
  /** Releases the lease at once, unless another holder has it by now. */
  release(name: string, holder: string): Promise<void>;
  /** Notes a successful run. Ignored for a lease that was never taken. */
  noteSuccess(name: string): Promise<void>;
  /**
   * All leases that were ever taken, by name. `heldBy` is null for a lease that is free, has expired, or was taken before the
   * clock was set back: it ends more than 75 seconds from now.
   */
  list(): Promise<readonly LeaseStatus[]>;
}
