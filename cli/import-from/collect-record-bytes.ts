import { createReadStream } from 'node:fs';
import { invalid } from '../../core/errors.ts';

/** A record of an export: a line, an element of an array, a row. */
export interface Piece {
  /** The position in the file, in bytes. */
  readonly offset: number;
  /** In bytes. */
  readonly length: number;
  /** Undefined if it is too long or not UTF-8. */
  readonly text: string | undefined;
}

/** Longer than any record of a user. The limit keeps a file without ends of records from filling the memory. */
export const MOST_RECORD_BYTES = 2 ** 20 - 1;

export type Chunks = AsyncGenerator<Buffer>;

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const BLANK = Buffer.from('   ');

/** The bytes of a file. A byte order mark becomes blanks, so that positions in the file do not change. */
export async function* chunksOf(file: string, onBytes: (bytes: number) => void): Chunks {
  let isFirst = true;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    if (isFirst && chunk.subarray(0, 3).equals(BYTE_ORDER_MARK)) BLANK.copy(chunk);
    isFirst = false;
    onBytes(chunk.length);
    yield chunk;
  }
}

const decode = (bytes: Buffer): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** Collects the bytes of consecutive pieces from the chunks of a file. */
export const makeCollector = (longest = MOST_RECORD_BYTES) => {
  let parts: Buffer[] = [];
  let offset = 0;
  let length = 0;

  return {
    begin: (at: number) => {
      parts = [];
      offset = at;
      length = 0;
    },
    add: (bytes: Buffer) => {
      length += bytes.length;
      if (length <= longest) parts.push(bytes);
    },
    end: (): Piece => ({
      offset,
      length,
      text: length <= longest ? decode(Buffer.concat(parts)) : undefined,
    }),
  };
};

/** The error for a file that cannot be split into records. Nothing was imported. */
export const brokenExport = (message: string) => invalid('broken_export', message);

export const cutOff = () => brokenExport('The file ends in the middle: it was cut off.');
