/** The HTTP status for each code. */
const STATUS = { invalid_token: 401, account_banned: 403, account_disabled: 403, unavailable: 503 } as const;

export type VerifyCode = keyof typeof STATUS;

/** A refusal, with everything that its answer over HTTP needs. The message is for your log, `code` for the caller. */
export class VerifyError extends Error {
  override readonly name = 'VerifyError';
  readonly code: VerifyCode;
  readonly status: (typeof STATUS)[VerifyCode];
  /** Ready to be sent: `WWW-Authenticate` with a 401, `Retry-After` with a 503. */
  readonly headers: Readonly<Record<string, string>>;
  /** With `unavailable`: seconds to wait. */
  readonly retryAfter: number | undefined;

  constructor(
    code: VerifyCode,
    message: string,
    options: { readonly challenge?: string; readonly retryAfter?: number; readonly cause?: unknown } = {},
  ) {
    const { challenge, retryAfter, cause } = options;
    super(message, { cause });
    this.code = code;
    this.status = STATUS[code];
    this.retryAfter = retryAfter;
    this.headers = {
      ...(challenge !== undefined && { 'WWW-Authenticate': challenge }),
      ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
    };
  }
}

/** RFC 6750 section 3: the challenge names an error only if the request had a credential. */
export const invalidToken = (hasToken = true): VerifyError =>
  new VerifyError('invalid_token', hasToken ? 'The access token is refused.' : 'An access token is needed.', {
    challenge: hasToken ? 'Bearer error="invalid_token"' : 'Bearer',
  });

/** Refuses what is no string. Undefined and null, such as the value of a cookie that was not sent, count as no token. */
export const requireToken = (token: unknown): void => {
  if (typeof token !== 'string') throw invalidToken(token !== undefined && token !== null);
};

export const unavailable = (failure: string, seconds: number, cause?: unknown): VerifyError =>
  new VerifyError('unavailable', cause instanceof Error ? `${failure} ${cause.message}` : failure, {
    retryAfter: Math.max(1, Math.ceil(seconds)),
    cause,
  });
