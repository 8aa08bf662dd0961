import type { ErrorCode } from '../../core/error-codes.ts';

/** The codes of the HTTP layer's own refusals. */
export type HttpErrorCode =
  | 'aborted'
  | 'body_already_read'
  | 'cross_site'
  | 'expectation_failed'
  | 'file_missing'
  | 'file_too_large'
  | 'forbidden_host'
  | 'headers_too_large'
  | 'internal'
  | 'invalid_encoding'
  | 'invalid_host'
  | 'invalid_http'
  | 'invalid_json'
  | 'invalid_multipart'
  | 'invalid_secret'
  | 'method_not_allowed'
  | 'not_found'
  | 'request_timeout'
  | 'too_deep'
  | 'too_large'
  | 'too_many_members'
  | 'unsupported_encoding'
  | 'unsupported_media_type';

/** Any error code of a response over HTTP. */
export type AnswerCode = ErrorCode | HttpErrorCode;

/** A refusal of the HTTP layer, such as an unknown path or an unreadable body. The caller sees its message. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: HttpErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: HttpErrorCode,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'HttpError';
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export const unknownRoute = () => new HttpError(404, 'not_found', 'There is nothing here.');

export const methodNotAllowed = (allow: string) =>
  new HttpError(405, 'method_not_allowed', `This path accepts only ${allow}.`, { Allow: allow });

export const tooLarge = (longest: number) =>
  new HttpError(413, 'too_large', `The body may have at most ${longest} bytes.`);

export const unsupportedType = (type: string) =>
  new HttpError(415, 'unsupported_media_type', `The content type must be ${type}.`);

/** Names the accepted codings in a header (RFC 9110 section 15.5.16). */
export const unsupportedCoding = () =>
  new HttpError(415, 'unsupported_encoding', 'The content encoding must be gzip or deflate, or none.', {
    'Accept-Encoding': 'gzip, deflate',
  });

/** A 400: the head is malformed, or the body is unreadable, incomplete or beyond a limit. `code` says which. */
export const malformed = (
  code: HttpErrorCode,
  message: string,
  headers: Readonly<Record<string, string>> = {},
) => new HttpError(400, code, message, headers);
