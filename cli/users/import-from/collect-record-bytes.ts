import { invalid } from '../../../core/errors.ts';

/** A record of an export: a line, an element of an array, a row. */
export interface Piece {
  /** The position in the file, in bytes. */
  readonly offset: number;
  /** In bytes. */
  readonly length: number;
  /** Undefined if it is longer than `LONGEST` or not UTF-8. */
  readonly text: string | undefined;
}

/** Longer than any record of a user. It keeps a file without ends of records from filling the memory. */
export const LONGEST = 2 ** 20 - 1;

export type Chunks = AsyncIterable<Buffer>;

const decode = (bytes: Buffer): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** Collects the bytes of consecutive pieces from the chunks of a file. */
export const makeCollector = () => {
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
      if (length <= LONGEST) parts.push(bytes);
    },
    end: (): Piece => ({
      offset,
      length,
      text: length <= LONGEST ? decode(Buffer.concat(parts)) : undefined,
    }),
  };
};

/** The error for a file that cannot be split into records. Nothing was imported. */
export const brokenExport = (message: string) => invalid('broken_export', message);

export const cutOff = () => brokenExport('The file ends in the middle: it was cut off.');
