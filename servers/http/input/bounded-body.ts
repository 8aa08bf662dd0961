import { Transform } from 'node:stream';

/** Chunks of at least this many bytes are passed on as they are. Smaller ones are joined. */
const SMALL = 1_024;
const BLOCK = 16_384;

/** Joins small chunks into blocks. A single chunk is not copied. */
const makeBlock = () => {
  let buffer: Buffer | undefined;
  let filled = 0;
  return {
    hasRoom: (piece: Buffer) => filled + piece.length <= BLOCK,
    add: (piece: Buffer) => {
      if (buffer === undefined) buffer = piece;
      else {
        if (buffer.length < BLOCK) buffer = Buffer.concat([buffer], BLOCK);
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
export const makeBounded = (longest: number, tooLong: () => Error): Transform => {
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
      if (piece.length >= SMALL || !block.hasRoom(piece)) passOn(this);
      if (piece.length >= SMALL) return callback(null, piece);
      block.add(piece);
      callback();
    },
    flush(callback) {
      passOn(this);
      callback();
    },
  });
};
