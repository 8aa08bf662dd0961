import { createHash } from 'node:crypto';
import { LONGEST, type Piece } from './pieces.ts';

/** Where a piece stands in a file. */
export type Place = Pick<Piece, 'offset' | 'length'>;

const EMPTY = -1;
const FIRST_SIZE = 1_024;

/** 48 bits. What two keys share this number is told apart by whoever reads the pieces. */
const numberOf = (key: string): number => createHash('sha256').update(key).digest().readUIntBE(0, 6);

/** Offset and length in one number: files of up to 8 GiB. */
const SPAN = LONGEST + 1;

/**
 * Remembers where the pieces of each key stand, in 32 to 64 bytes a piece: the users of an export do not fit into the
 * memory, and what belongs to one of them stands somewhere else in the file, or in another one.
 */
export const makePlaces = () => {
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
    const [before, itsSpans] = [numbers, spans];
    size *= 2;
    numbers = new Float64Array(size).fill(EMPTY);
    spans = new Float64Array(size);
    for (const [at, number] of before.entries()) if (number !== EMPTY) put(number, itsSpans[at] ?? 0);
  };

  return {
    add: (key: string, { offset, length }: Place) => {
      if (count * 2 >= size) grow();
      put(numberOf(key), offset * SPAN + length);
      count += 1;
    },
    /** Rarely there is one of another key among them. */
    find: (key: string): readonly Place[] => {
      const number = numberOf(key);
      const found: Place[] = [];
      for (let at = number % size; numbers[at] !== EMPTY; at = (at + 1) % size) {
        const span = spans[at] ?? 0;
        if (numbers[at] === number) found.push({ offset: Math.floor(span / SPAN), length: span % SPAN });
      }
      return found;
    },
  };
};

export type Places = ReturnType<typeof makePlaces>;
