import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import { createUnzip } from 'node:zlib';
import { HttpError, malformed, tooLarge, unsupportedCoding } from '../http-error.ts';
import { withoutSpace } from '../optional-whitespace.ts';
import { alreadyReadBody } from './already-read-body.ts';
import { readBytesAsText } from './koa-body.ts';

const CODINGS = new Set(['identity', 'gzip', 'deflate']);

/** A compressed body may be larger than its content by this much, for headers and empty blocks. */
const CODING_OVERHEAD_BYTES = 1_024;

/**
 * The most bytes of an unwanted body that are read before the connection is closed. Most clients read the answer only after they
 * have sent the whole body, which may be large, such as a photo, if they do not know the limit.
 */
const MOST_DISCARDED_BYTES = 67_108_864;

/** Chunks with fewer bytes are joined into blocks; larger ones are passed on as they are. */
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
 * A stream that passes a body on and fails with `tooLong()` beyond `longest` bytes. It joins small chunks: koa-body keeps each
 * chunk, and a chunk of one byte takes the memory of 32.
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
    return malformed('invalid_encoding', 'The body does not have the encoding that Content-Encoding names.');
  return error;
};

/** Reads an uncompressed body that has arrived completely. It needs none of the guards of `readGuarded`. */
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
 * Reads with koa-body, and ends the read in two cases that koa-body overlooks: the connection of a compressed body closes, or too
 * many compressed bytes inflate to nothing. Decompression happens here, because koa-body stops listening to its decompressor at
 * the first failure, and a second failure would then end the process.
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
    // Without headers koa-body neither decompresses again nor compares the length.
    const body = Object.assign(inflated, { headers: {} });
    readBytesAsText(body, longest).then((text) => settle(() => resolve(Buffer.from(text, 'latin1'))), fail);
    req.pipe(bounded);
  });

/**
 * Reads and decompresses the body, which may have `longest` bytes after decompression. Throws 413 beyond that (at once if
 * `Content-Length` says so), 415 for encodings other than gzip and deflate, and 400 for a body that is cut off or not of its stated
 * encoding. If a parser of the app has read the body, returns what `alreadyReadBody` finds, or throws its errors.
 */
export const readRaw = async (
  req: IncomingMessage,
  longest: number,
  { asJson }: { readonly asJson: boolean } = { asJson: false },
): Promise<Buffer> => {
  // This layer reads each body once, so other code of the app has begun to read this body.
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
  // The body is paused if it was refused before its end.
  req.resume();
};
