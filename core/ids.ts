import type { Clock, Random } from './ports.ts';

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The bytes of UUIDv7 (RFC 9562 section 5.7) for a time: 48 bits of epoch milliseconds, then 74 random bits. */
const bytesAt = (random: Random, milliseconds: number): Uint8Array => {
  const bytes = random.bytes(16);
  let time = milliseconds;
  for (let index = 5; index >= 0; index -= 1) {
    bytes[index] = time % 256;
    time = Math.floor(time / 256);
  }
  // The version, 7, and the variant, binary 10.
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return bytes;
};

const format = (bytes: Uint8Array): string => {
  let hex = '';
  for (const byte of bytes) hex += HEX[byte];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

/** Makes UUIDv7 identifiers for a time. */
export const makeIdAt =
  (random: Random) =>
  (milliseconds: number): string =>
    format(bytesAt(random, milliseconds));

/** The largest value of the 12 bits behind the version. */
const COUNTER_MOST = 0xfff;

/**
 * Makes identifiers for the current time. Those of one millisecond grow by a counter in the first random bits (RFC 9562
 * section 6.2), so that what one process stores in that millisecond, such as mails to one address, is read in the order of
 * its creation.
 */
export const makeNewId = (clock: Clock, random: Random) => {
  let lastTime: number | undefined;
  let counter = 0;
  return (): string => {
    const now = clock.now();
    const bytes = bytesAt(random, now);
    // 11 random bits: as the 12-bit counter starts in its lower half, it can grow at least 2,048 times.
    const start = (((bytes[6] ?? 0) & 0x07) << 8) | (bytes[7] ?? 0);
    // The counter stays at its largest value: further identifiers no longer grow, but still differ by their other random bits.
    counter = now === lastTime ? Math.min(counter + 1, COUNTER_MOST) : start;
    lastTime = now;
    bytes[6] = 0x70 | (counter >> 8);
    bytes[7] = counter & 0xff;
    return format(bytes);
  };
};

export type IdAt = ReturnType<typeof makeIdAt>;
export type NewId = ReturnType<typeof makeNewId>;

/** The creation time of an identifier, epoch milliseconds: its first 12 hexadecimal digits, with a dash after the eighth. */
export const timeOfId = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether the text is an identifier, in lower case with dashes. */
export const isId = (text: string): boolean => UUID.test(text);
