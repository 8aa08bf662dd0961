import type { IncomingMessage } from 'node:http';
import { HttpError, malformed, tooLarge, unsupportedCoding } from '../http-error.ts';
import { makeBounded } from './bounded-body.ts';
import { readBytesAsText } from './koa-body.ts';

const CODINGS = new Set(['identity', 'gzip', 'deflate']);

/** How much longer than its content a compressed body may be: headers and blocks that hold nothing. */
const CODING_OVERHEAD = 1_024;

/**
 * How many bytes of an unwanted body are read before the connection ends. It is as much as a client may send that does
 * not know the limit, such as a photo: most clients see the answer only after they have sent their whole body.
 */
const MOST_DISCARDED = 67_108_864;

const cutOff = () => malformed('aborted', 'The body was cut off.');

/** The codes of Node.js and of `raw-body` for a connection that ended in the middle of a body. */
const ENDED = new Set(['ECONNRESET', 'ECONNABORTED']);

/** What an error of the reading means to the client: one of `raw-body` has a `type`, one of zlib a `code`. */
const explain = (error: unknown, longest: number): unknown => {
  if (error instanceof HttpError) return error;
  const { type, code } = error as { readonly type?: unknown; readonly code?: unknown };
  if (type === 'entity.too.large') return tooLarge(longest);
  if (ENDED.has(String(code))) return cutOff();
  if (typeof code === 'string' && code.startsWith('Z_'))
    return malformed('invalid_encoding', 'The body is not what its content encoding says.');
  return error;
};

/** A whole body that waits in the request has few pieces and no coding: koa-body reads it as well without the guard. */
const readWaiting = async (req: IncomingMessage, longest: number): Promise<Buffer> => {
  try {
    return Buffer.from(await readBytesAsText(req, longest), 'latin1');
  } catch (error) {
    throw explain(error, longest);
  }
};

interface Sent {
  readonly coding: string;
  /** Bytes that it may have as it is sent. */
  readonly longestSent: number;
  /** Bytes that it may have after decompression. */
  readonly longest: number;
}

/**
 * Reads with koa-body and ends the reading where koa-body would not. koa-body does not notice when the connection of a
 * compressed body closes, and it does not count compressed bytes that inflate to nothing.
 */
const readGuarded = (req: IncomingMessage, { coding, longestSent, longest }: Sent): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const bounded = makeBounded(longestSent, () => tooLarge(longest));
    const cut = () => {
      if (!req.readableEnded) bounded.destroy(cutOff());
    };
    const settle = (act: () => void) => {
      req.off('close', cut).unpipe(bounded);
      bounded.destroy();
      act();
    };
    const fail = (error: unknown) => settle(() => reject(explain(error, longest)));
    req.on('close', cut);
    bounded.on('error', fail);
    const coded = Object.assign(bounded, { headers: { 'content-encoding': coding } });
    readBytesAsText(coded, longest).then((text) => settle(() => resolve(Buffer.from(text, 'latin1'))), fail);
    req.pipe(bounded);
  });

/**
 * The bytes of the body, decompressed: at most `longest` of them, counted after decompression. Throws 413 beyond it (at
 * once when `Content-Length` says so), 415 for an encoding other than gzip and deflate, 400 for broken ones.
 */
export const readRaw = async (req: IncomingMessage, longest: number): Promise<Buffer> => {
  const coding = (req.headers['content-encoding'] ?? '').trim().toLowerCase() || 'identity';
  if (!CODINGS.has(coding)) throw unsupportedCoding();
  const longestSent = coding === 'identity' ? longest : longest + CODING_OVERHEAD;
  if (Number(req.headers['content-length'] ?? 0) > longestSent) throw tooLarge(longest);
  if (req.destroyed) throw cutOff();
  if (req.complete && req.headers['content-encoding'] === undefined) return readWaiting(req, longest);
  return readGuarded(req, { coding, longestSent, longest });
};

/** Whether a body comes with the request, be it empty in the end (RFC 9112 section 6). */
export const hasBody = (req: IncomingMessage): boolean =>
  req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;

/** Reads away what is left of a body that was refused or not asked for, so that the connection can be used again. */
export const discardRest = (req: IncomingMessage): void => {
  let size = 0;
  req.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MOST_DISCARDED) req.destroy();
  });
  // A body that was refused while it was read is paused.
  req.resume();
};
