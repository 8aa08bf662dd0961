import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { describeRefusal, type ErrorStyle } from '../errors.ts';
import { HttpError } from '../http-error.ts';
import { JSON_TYPE } from '../response-body.ts';

const REFUSALS: Readonly<Record<string, HttpError>> = {
  HPE_HEADER_OVERFLOW: new HttpError(431, 'headers_too_large', 'The head may have at most 16384 bytes.'),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpError(408, 'request_timeout', 'The request took too long to arrive.'),
};

const UNREADABLE = new HttpError(400, 'invalid_http', 'These bytes are not a valid HTTP request.');

/** The complete response as text, in the service's error style. */
const answerText = (refusal: HttpError, style: ErrorStyle, requestId: string): string => {
  const body = JSON.stringify(describeRefusal(refusal, style));
  return [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    'Connection: close',
    `Content-Type: ${JSON_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
    '',
    body,
  ].join('\r\n');
};

interface ClientError {
  /** The `code` of the error of Node.js. */
  readonly errorCode: string | undefined;
  readonly hasAnswerBegun: boolean;
  readonly style: ErrorStyle;
  readonly requestId: string;
}

/**
 * Refuses a request that Node.js could not parse, or that came too slowly. Closes the connection, since the rest of this request
 * could be taken for the next one (RFC 9112 section 11.2). Returns the code of the refusal; undefined if none is sent, since the
 * client is gone or an answer has begun.
 */
export const answerClientError = (
  socket: Duplex,
  { errorCode, hasAnswerBegun, style, requestId }: ClientError,
): string | undefined => {
  if (!socket.writable || hasAnswerBegun || errorCode === 'ECONNRESET') {
    socket.destroy();
    return undefined;
  }
  const refusal = REFUSALS[errorCode ?? ''] ?? UNREADABLE;
  socket.end(answerText(refusal, style, requestId), () => socket.destroy());
  return refusal.code;
};
