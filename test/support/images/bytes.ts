/** A byte, a text (one byte a character) or a byte array. */
export type Part = number | string | Uint8Array;

export const join = (...parts: readonly Part[]): Uint8Array =>
  Uint8Array.from(
    Buffer.concat(
      parts.map((part) =>
        typeof part === 'number'
          ? Buffer.of(part)
          : typeof part === 'string'
            ? Buffer.from(part, 'latin1')
            : part,
      ),
    ),
  );

const numbers =
  (bytes: number, write: (to: Buffer, value: number, at: number) => void) => (value: number) => {
    const buffer = Buffer.alloc(bytes);
    write(buffer, value, 0);
    return buffer;
  };

export const big16 = numbers(2, (to, value, at) => to.writeUInt16BE(value, at));
export const big32 = numbers(4, (to, value, at) => to.writeUInt32BE(value, at));
export const little16 = numbers(2, (to, value, at) => to.writeUInt16LE(value, at));
export const little24 = numbers(3, (to, value, at) => to.writeUIntLE(value, at, 3));
export const little32 = numbers(4, (to, value, at) => to.writeUInt32LE(value, at));

/** Whether a file contains a text. */
export const includesText = (bytes: Uint8Array, text: string): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(Buffer.from(text, 'latin1'));

/** Packs numbers of some bits each: the first bit is the highest of a byte, as in JPEG, or the lowest, as in GIF and WebP. */
export const makeBits = (first: 'high' | 'low') => {
  const bits: number[] = [];
  return {
    add(value: number, count: number) {
      for (let bit = 0; bit < count; bit += 1) {
        bits.push((value >> (first === 'high' ? count - 1 - bit : bit)) & 1);
      }
    },
    /** The bytes; the last is filled up with `filler`. */
    bytes(filler: 0 | 1): Uint8Array {
      while (bits.length % 8 !== 0) bits.push(filler);
      return Uint8Array.from({ length: bits.length / 8 }, (_, index) => {
        const byte = bits.slice(8 * index, 8 * index + 8);
        return (first === 'high' ? byte : byte.reverse()).reduce((sum, bit) => 2 * sum + bit, 0);
      });
    },
  };
};
