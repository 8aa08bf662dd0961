/** What a byte does to the remainder: the polynomial 0xedb88320, bits reversed. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

/** CRC-32 of the bytes from `start` to before `end` (PNG Third Edition, annex D). */
export const crc32 = (bytes: Uint8Array, start: number, end: number): number => {
  let crc = 0xffff_ffff;
  for (let at = start; at < end; at += 1) {
    crc = (TABLE[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (crc >>> 8);
  }
  return ~crc >>> 0;
};
