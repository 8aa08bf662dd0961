/** A refusal of the HTTP layer, such as an unknown path or an unreadable body. The caller sees its message. */
export class HttpError extends Error {
  readonly status: number;
  /** Stable, like the code of a `CoreError`. */
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'HttpError';
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export const unknownRoute = () => new HttpError(404, 'not_found', 'There is nothing here.');

export const methodNotAllowed = (allow: string) =>
  new HttpError(405, 'method_not_allowed', `This path takes ${allow}.`, { Allow: allow });

export const tooLarge = (cap: number) =>
  new HttpError(413, 'too_large', `The body may have at most ${cap} bytes.`);

export const unsupportedType = (type: string) =>
  new HttpError(415, 'unsupported_media_type', `The content type must be ${type}.`);

/** The answer names the codings that are accepted (RFC 9110 section 15.5.16). */
export const unsupportedCoding = () =>
  new HttpError(415, 'unsupported_encoding', 'The content encoding must be gzip or deflate, or none.', {
    'Accept-Encoding': 'gzip, deflate',
  });

/** A 400: the head is malformed, or the body is unreadable, incomplete or beyond a limit. `code` says which. */
export const malformed = (code: string, message: string, headers: Readonly<Record<string, string>> = {}) =>
  new HttpError(400, code, message, headers);
