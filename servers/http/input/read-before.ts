import type { IncomingMessage } from 'node:http';
import { HttpError, tooLarge } from '../http-error.ts';

/** What body parsers leave at a request: what they made of the body, and its bytes where they keep them. */
interface Parsed {
  readonly body?: unknown;
  readonly rawBody?: unknown;
}

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array;

/** The app has to be changed, so it is no fault of the caller. */
const bodyIsGone = () =>
  new HttpError(
    500,
    'body_already_read',
    'The body was read before it came here: mount Gatehouse before what reads bodies, or keep the bytes in req.rawBody.',
  );

/** A parsed body as JSON again, which costs little more than the checks of its depth and members would. */
const jsonOf = (body: unknown): Uint8Array | undefined => {
  if (body === undefined) return undefined;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
};

/** Whether something in the app's server has begun to read the body. To be asked before anything here does. */
export const wasReadBefore = (req: IncomingMessage): boolean => req.readableDidRead;

/**
 * The body of a request that a parser of the app has read, such as `express.json()`: the bytes that it kept, or, for a
 * reader of JSON, what it parsed. Throws 413, and 500 (`body_already_read`) if there is neither.
 */
export const readBefore = (
  req: IncomingMessage & Parsed,
  longest: number,
  { asJson }: { readonly asJson: boolean },
): Buffer => {
  const { body, rawBody } = req;
  const bytes = [rawBody, body].find(isBytes) ?? (asJson ? jsonOf(body) : undefined);
  if (bytes === undefined) throw bodyIsGone();
  if (bytes.length > longest) throw tooLarge(longest);
  return Buffer.from(bytes);
};
