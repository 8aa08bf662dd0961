import type { IncomingMessage } from 'node:http';
import { HttpError, tooLarge } from '../http-error.ts';

/** What body parsers add to a request: the parsed body, and its bytes if they keep them. */
interface ParsedBody {
  readonly body?: unknown;
  readonly rawBody?: unknown;
}

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array;

/** The status is 500, since the app must be changed, not the request. */
const bodyIsGone = () =>
  new HttpError(
    500,
    'body_already_read',
    'The body was read before it came here: mount Gatehouse before what reads bodies, or keep the bytes in req.rawBody.',
  );

/**
 * A parsed body as JSON again, which is then parsed and checked like any other body. That costs little more than separate
 * checks of its depth and members. A string is taken as text that is not parsed yet, as `express.text()` leaves it.
 */
const jsonOf = (body: unknown): Uint8Array | undefined => {
  if (body === undefined) return undefined;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
};

/**
 * The body of a request that a parser of the app has read, such as `express.json()`: the stored bytes, or, for a reader
 * of JSON, the parsed value. Throws 413, and 500 (`body_already_read`) if the parser left neither.
 */
export const alreadyReadBody = (
  req: IncomingMessage & ParsedBody,
  longest: number,
  { asJson }: { readonly asJson: boolean },
): Buffer => {
  const { body, rawBody } = req;
  const bytes = [rawBody, body].find(isBytes) ?? (asJson ? jsonOf(body) : undefined);
  if (bytes === undefined) throw bodyIsGone();
  if (bytes.length > longest) throw tooLarge(longest);
  return Buffer.from(bytes);
};
