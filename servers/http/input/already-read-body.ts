import type { IncomingMessage } from 'node:http';
import { HttpError, tooLarge } from '../http-error.ts';

/** The members that body parsers add to a request: the parsed body, and perhaps its bytes. */
interface ParsedBody {
  readonly body?: unknown;
  readonly rawBody?: unknown;
}

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array;

/** The status is 500, since the app must be changed, not the request. */
const bodyUnavailable = () =>
  new HttpError(
    500,
    'body_already_read',
    'The app has already read the body: mount Gatehouse before body parsers, or keep the bytes in req.rawBody.',
  );

/**
 * Serializes a parsed body again, so that it is checked like any other body: separate checks of its depth and members would not
 * cost much less. A string is taken as JSON that is not parsed yet, as `express.text()` leaves it.
 */
const jsonOf = (body: unknown): Uint8Array | undefined => {
  if (body === undefined) return undefined;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
};

/**
 * The body of a request that a parser of the app has read, such as `express.json()`: the bytes that the parser stored, or with
 * `asJson` also the JSON of the parsed value. Throws 413, and 500 (`body_already_read`) if the parser stored nothing usable.
 */
export const alreadyReadBody = (
  req: IncomingMessage & ParsedBody,
  longest: number,
  { asJson }: { readonly asJson: boolean },
): Buffer => {
  const { body, rawBody } = req;
  const bytes = [rawBody, body].find(isBytes) ?? (asJson ? jsonOf(body) : undefined);
  if (bytes === undefined) throw bodyUnavailable();
  if (bytes.length > longest) throw tooLarge(longest);
  return Buffer.from(bytes);
};
