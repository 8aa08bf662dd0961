import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import { createUnzip } from 'node:zlib';
import { HttpError, malformed, tooLarge, unsupportedCoding } from '../http-error.ts';
import { withoutSpace } from '../optional-whitespace.ts';
import { alreadyReadBody } from './already-read-body.ts';
import { readBytesAsText } from './koa-body.ts';

const CODINGS = new Set(['identity', 'gzip', 'deflate']);

/** The bytes by which a compressed body may exceed its content, for headers and empty blocks. */
const CODING_OVERHEAD_BYTES = 1_024;

/**
 * The most bytes of an unwanted body that are read before the connection is closed. A client that does not know the
 * limit may send that much, such as a photo: most clients read the answer only after they have sent the whole body.
 */
const MOST_DISCARDED_BYTES = 67_108_864;

/** Smaller chunks are joined into blocks; others are passed on as they are. */
const SMALL_CHUNK_BYTES = 1_024;
const BLOCK_BYTES = 16_384;

/** Joins small chunks into blocks. A single chunk is not copied. */
const makeBlock = () => {
  let buffer: Buffer | undefined;
  let filled = 0;
  return {
    hasRoom: (piece: Buffer) => filled + piece.length <= BLOCK_BYTES,
    add: (piece: Buffer) => {
      if (buffer === undefined) buffer = piece;
      else {
        // The buffer is still the first chunk alone: it is copied to the beginning of a new block.
        if (buffer.length < BLOCK_BYTES) buffer = Buffer.concat([buffer], BLOCK_BYTES);
        piece.copy(buffer, filled);
      }
      filled += piece.length;
    },
    take: () => {
      const bytes = buffer?.subarray(0, filled);
      buffer = undefined;
      filled = 0;
      return bytes;
    },
  };
};

/**
 * A stream that passes a body on and fails with `tooLong()` beyond `longest` bytes. It joins small chunks: koa-body
 * keeps each chunk, and chunks of one byte take 32 times as much memory as they hold.
 */
const makeBounded = (longest: number, tooLong: () => Error): Transform => {
  let size = 0;
  const block = makeBlock();
  const passOn = (stream: Transform) => {
    const bytes = block.take();
    if (bytes !== undefined) stream.push(bytes);
  };
  return new Transform({
    transform(piece: Buffer, _encoding, callback) {
      size += piece.length;
      if (size > longest) return callback(tooLong());
      if (piece.length >= SMALL_CHUNK_BYTES || !block.hasRoom(piece)) passOn(this);
      if (piece.length >= SMALL_CHUNK_BYTES) return callback(null, piece);
      block.add(piece);
      callback();
    },
    flush(callback) {
      passOn(this);
      callback();
    },
  });
};

const cutOff = () => malformed('aborted', 'The body was cut off.');

/** Error codes of Node.js and `raw-body` for a connection that ended in the middle of a body. */
const CONNECTION_ENDED = new Set(['ECONNRESET', 'ECONNABORTED']);

/** Turns a read error into a refusal. Errors of `raw-body` have a `type`, those of Node.js and zlib a `code`. */
const explain = (error: unknown, longest: number): unknown => {
  if (error instanceof HttpError) return error;
  const { type, code } = error as { readonly type?: unknown; readonly code?: unknown };
  if (type === 'entity.too.large') return tooLarge(longest);
  if (CONNECTION_ENDED.has(String(code))) return cutOff();
  if (typeof code === 'string' && code.startsWith('Z_'))
    return malformed('invalid_encoding', 'The body is not what its content encoding says.');
  return error;
};

/** Reads a body that has arrived completely and is uncompressed, for which koa-body needs no guard. */
const readArrived = async (req: IncomingMessage, longest: number): Promise<Buffer> => {
  try {
    return Buffer.from(await readBytesAsText(req, longest), 'latin1');
  } catch (error) {
    throw explain(error, longest);
  }
};

interface BodyLimits {
  readonly coding: string;
  /** The most bytes before decompression. */
  readonly longestSent: number;
  /** The most bytes after decompression. */
  readonly longest: number;
}

/**
 * Reads with koa-body, and ends the read where koa-body would not: koa-body does not notice when the connection of a
 * compressed body closes, and it does not count compressed bytes that inflate to nothing. Decompression happens here:
 * koa-body stops listening to its decompressor at the first failure, and a second failure would end the process.
 */
const readGuarded = (req: IncomingMessage, { coding, longestSent, longest }: BodyLimits): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const bounded = makeBounded(longestSent, () => tooLarge(longest));
    const inflated = coding === 'identity' ? bounded : bounded.pipe(createUnzip());
    const onClose = () => {
      if (!req.readableEnded) bounded.destroy(cutOff());
    };
    const settle = (resolveOrReject: () => void) => {
      req.off('close', onClose).unpipe(bounded);
      bounded.destroy();
      inflated.destroy();
      resolveOrReject();
    };
    const fail = (error: unknown) => settle(() => reject(explain(error, longest)));
    req.on('close', onClose);
    bounded.on('error', fail);
    inflated.on('error', fail);
    // koa-body reads the headers of its request. Without any, it neither decompresses again nor compares the length.
    const body = Object.assign(inflated, { headers: {} });
    readBytesAsText(body, longest).then((text) => settle(() => resolve(Buffer.from(text, 'latin1'))), fail);
    req.pipe(bounded);
  });

/**
 * Reads the decompressed body, at most `longest` bytes after decompression. Throws 413 beyond that (at once if
 * `Content-Length` says so), 415 for encodings other than gzip and deflate, 400 for a body that is cut off or is not what its
 * encoding says. In an app whose parsers have read the body, returns the bytes that they stored, or with `asJson` the JSON of
 * the value that they parsed; throws 500 (`body_already_read`) if they left neither.
 */
export const readRaw = async (
  req: IncomingMessage,
  longest: number,
  { asJson }: { readonly asJson: boolean } = { asJson: false },
): Promise<Buffer> => {
  // This layer reads a body once, so other code in the app's server has begun to read this one.
  if (req.readableDidRead) return alreadyReadBody(req, longest, { asJson });
  const coding = withoutSpace(req.headers['content-encoding'] ?? '').toLowerCase() || 'identity';
  if (!CODINGS.has(coding)) throw unsupportedCoding();
  const longestSent = coding === 'identity' ? longest : longest + CODING_OVERHEAD_BYTES;
  if (Number(req.headers['content-length'] ?? 0) > longestSent) throw tooLarge(longest);
  if (req.destroyed) throw cutOff();
  if (req.complete && req.headers['content-encoding'] === undefined) return readArrived(req, longest);
  return readGuarded(req, { coding, longestSent, longest });
};

/** Whether the request has a body (RFC 9112 section 6). A chunked body counts even if it turns out to be empty. */
export const hasBody = (req: IncomingMessage): boolean =>
  req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;

/** Discards the rest of a body that was refused or not expected, so that the connection can be reused. */
export const discardRest = (req: IncomingMessage): void => {
  let size = 0;
  req.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MOST_DISCARDED_BYTES) req.destroy();
  });
  // A body is paused if it was refused in the middle.
  req.resume();
};
