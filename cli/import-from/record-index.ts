import { createHash } from 'node:crypto';
import { brokenExport, MOST_RECORD_BYTES, type Piece } from './collect-record-bytes.ts';

/** The position of a piece in a file. */
export type ByteRange = Pick<Piece, 'offset' | 'length'>;

const EMPTY = -1;
const FIRST_SIZE = 1_024;

/** A hash of 48 bits. The reader of the pieces must tell keys with the same number apart. */
const numberOf = (key: string): number => createHash('sha256').update(key).digest().readUIntBE(0, 6);

/**
 * A span is offset and length in one number: `offset * OFFSET_UNIT + length`. It is exact for pieces that begin within the
 * first 8 GiB of a file.
 */
const OFFSET_UNIT = MOST_RECORD_BYTES + 1;
const GREATEST_OFFSET = 8 * 1_024 ** 3 - 1;

/**
 * Remembers the byte ranges of each key's pieces, in 32 to 64 bytes per piece: the users of an export do not fit into the
 * memory, and the records of a user are elsewhere in the file, or in another file.
 */
export const makeRecordIndex = () => {
  let size = FIRST_SIZE;
  let numbers = new Float64Array(size).fill(EMPTY);
  let spans = new Float64Array(size);
  let count = 0;

  const put = (number: number, span: number) => {
    let at = number % size;
    while (numbers[at] !== EMPTY) at = (at + 1) % size;
    numbers[at] = number;
    spans[at] = span;
  };

  const grow = () => {
    const oldNumbers = numbers;
    const oldSpans = spans;
    size *= 2;
    numbers = new Float64Array(size).fill(EMPTY);
    spans = new Float64Array(size);
    for (const [at, number] of oldNumbers.entries()) if (number !== EMPTY) put(number, oldSpans[at] ?? 0);
  };

  return {
    /** Throws `invalid` (`broken_export`) for a piece that begins beyond 8 GiB. */
    add: (key: string, { offset, length }: ByteRange) => {
      if (offset > GREATEST_OFFSET)
        throw brokenExport('Records that belong to a user must be within the first 8 GiB of the file.');
      // At least half of the slots stay free, so that a search soon meets an empty one.
      if (count * 2 >= size) grow();
      put(numberOf(key), offset * OFFSET_UNIT + length);
      count += 1;
    },
    /** The result may rarely include a piece of another key. */
    find: (key: string): readonly ByteRange[] => {
      const number = numberOf(key);
      const ranges: ByteRange[] = [];
      for (let at = number % size; numbers[at] !== EMPTY; at = (at + 1) % size) {
        const span = spans[at] ?? 0;
        if (numbers[at] === number)
          ranges.push({ offset: Math.floor(span / OFFSET_UNIT), length: span % OFFSET_UNIT });
      }
      return ranges;
    },
  };
};
