import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';
import { malformed, tooLarge, unsupportedCoding } from './http-error.ts';

const DECODERS = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
]);

/** How much longer than its content a compressed body may be: headers and blocks that hold nothing. */
const CODING_OVERHEAD = 1_024;

/**
 * How much of a body nobody wants is read; beyond it the connection ends. As much as somebody may send who does not
 * know the limit, such as a photo: most clients see the answer only when their body is taken, else a broken connection.
 */
const MOST_DISCARDED = 67_108_864;

const cutOff = () => malformed('aborted', 'The body was cut off.');

/**
 * Puts pieces together in one buffer of at most `cap` bytes. Kept apart, pieces of one byte would take some hundred times as
 * much memory as what they hold.
 */
const makeGathered = (cap: number) => {
  let held: Buffer = Buffer.alloc(0);
  let size = 0;
  return {
    add: (piece: Buffer) => {
      const needed = size + piece.length;
      // Most bodies come in one piece, which needs no copy.
      if (size === 0) held = piece;
      else {
        if (needed > held.length) {
          const more = Buffer.allocUnsafeSlow(Math.min(cap, Math.max(needed, 2 * held.length)));
          held.copy(more, 0, 0, size);
          held = more;
        }
        piece.copy(held, size);
      }
      size = needed;
    },
    bytes: () => held.subarray(0, size),
  };
};

const collect = (req: IncomingMessage, cap: number) =>
  new Promise<Buffer>((resolve, reject) => {
    if (Number(req.headers['content-length'] ?? 0) > cap) return reject(tooLarge(cap));
    if (req.destroyed) return reject(cutOff());
    const gathered = makeGathered(cap);
    let size = 0;
    const settle = (act: () => void) => () => {
      req.off('data', take).off('end', end).off('error', cut).off('close', cut);
      act();
    };
    const end = settle(() => resolve(gathered.bytes()));
    const cut = settle(() => reject(cutOff()));
    const overflow = settle(() => reject(tooLarge(cap)));
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > cap) overflow();
      else gathered.add(chunk);
    };
    req.on('data', take).on('end', end).on('error', cut).on('close', cut);
  });

const expand = async (
  decode: typeof DECODERS extends Map<string, infer D> ? D : never,
  wire: Buffer,
  cap: number,
) => {
  try {
    return await decode(wire, { maxOutputLength: cap });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(cap);
    throw malformed('invalid_encoding', 'The body is not what its content encoding says.');
  }
};

/**
 * The bytes of the body, decompressed: at most `cap` of them, counted after decompression. Throws 413 beyond it (at
 * once when `Content-Length` says so), 415 for an encoding other than gzip and deflate, 400 for broken ones.
 */
export const readRaw = async (req: IncomingMessage, cap: number): Promise<Buffer> => {
  const coding = (req.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (coding === '' || coding === 'identity') return collect(req, cap);
  const decode = DECODERS.get(coding);
  if (decode === undefined) throw unsupportedCoding();
  return expand(decode, await collect(req, cap + CODING_OVERHEAD), cap);
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
};
