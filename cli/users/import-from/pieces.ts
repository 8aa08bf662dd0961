import { invalid } from '../../../core/errors.ts';

/** A record of an export: a line, an element of an array, a row. */
export interface Piece {
  /** Where it begins in the file, in bytes. */
  readonly offset: number;
  /** In bytes. */
  readonly length: number;
  /** Undefined if it is longer than `LONGEST` or not UTF-8. */
  readonly text: string | undefined;
}

/** More than a user has anywhere. It keeps a file without ends of records from filling the memory. */
export const LONGEST = 2 ** 20 - 1;

export type Chunks = AsyncIterable<Buffer>;

const decode = (bytes: Buffer): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** Collects the bytes of one piece after the other from the chunks of a file. */
export const makeCollector = () => {
  let parts: Buffer[] = [];
  let [offset, length] = [0, 0];

  return {
    begin: (at: number) => {
      parts = [];
      [offset, length] = [at, 0];
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

/** A file that cannot be taken apart. Nothing was imported. */
export const brokenExport = (what: string) => invalid('broken_export', what);

export const cutOff = () => brokenExport('The file ends in the middle: it was cut off.');
