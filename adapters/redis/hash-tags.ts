/** The number of slots of a Redis Cluster. */
const SLOTS = 16_384;

/** CRC-16/XMODEM. */
const crc16 = (text: string): number => {
  let crc = 0;
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x80_00 ? 0x10_21 : 0)) & 0xff_ff;
  }
  return crc;
};

/**
 * `{00}` to `{77}`, in octal. Over 3 to 16 primaries 64 tags spread evenly: none holds more than 1.5 times its share. More tags
 * would need more calls, since a script runs only on the keys of one tag.
 */
export const TAGS: readonly string[] = Array.from(
  { length: 64 },
  (_, index) => `{${index.toString(8).padStart(2, '0')}}`,
);

/** The tag for a name. All processes compute the same tag. */
export const tagOf = (name: string): string => TAGS[crc16(name) % TAGS.length] ?? '';

/** The slot of a key with the tag: Redis looks only at what is in the braces. */
export const slotOf = (tag: string): number => crc16(tag.slice(1, -1)) % SLOTS;
