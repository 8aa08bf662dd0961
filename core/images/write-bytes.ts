/** The four bytes of a number, least significant first. */
export const littleEndian = (value: number): readonly number[] =>
  [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff);

/** The four bytes of a number, most significant first. */
export const bigEndian = (value: number): readonly number[] => littleEndian(value).toReversed();

/** Only a rebuilt EXIF block can be longer than the original: it ends with four bytes of zeros that some writers omit. */
const GROWTH = 4;

/** Collects the bytes of the rewritten file in one buffer: no other copy of `file` is made. */
export const makeOutput = (file: Uint8Array) => {
  const buffer = new Uint8Array(file.length + GROWTH);
  let length = 0;
  const add = (values: ArrayLike<number>) => {
    buffer.set(values, length);
    length += values.length;
  };
  return {
    /** The number of bytes so far. */
    length: () => length,
    /** Copies the bytes of the file from `start` to before `end`. */
    keep: (start: number, end: number): void => add(file.subarray(start, end)),
    add,
    /** Overwrites earlier bytes, for lengths and flags that are known late. */
    patch: (at: number, values: ArrayLike<number>): void => buffer.set(values, at),
    bytes: () => buffer.subarray(0, length),
  };
};

export type Output = ReturnType<typeof makeOutput>;
