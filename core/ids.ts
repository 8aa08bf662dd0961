import type { Clock, Random } from './ports.ts';

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

const hex = (bytes: Uint8Array): string => {
  let text = '';
  for (const byte of bytes) text += HEX[byte];
  return text;
};

/** Makes UUIDv7 identifiers (RFC 9562 section 5.7) for a time: 48 bits of epoch milliseconds, then 74 random bits. */
export const makeIdAt =
  (random: Random) =>
  (milliseconds: number): string => {
    const bytes = random.bytes(16);
    let time = milliseconds;
    for (let place = 5; place >= 0; place -= 1) {
      bytes[place] = time % 256;
      time = Math.floor(time / 256);
    }
    bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
    bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
    const text = hex(bytes);
    return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join(
      '-',
    );
  };

/** Makes identifiers for the current time. */
export const makeNewId = (clock: Clock, random: Random) => {
  const idAt = makeIdAt(random);
  return (): string => idAt(clock.now());
};

export type IdAt = ReturnType<typeof makeIdAt>;
export type NewId = ReturnType<typeof makeNewId>;

/** The creation time of an identifier, epoch milliseconds. */
export const timeOfId = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether the text is an identifier in its only valid spelling. */
export const isId = (text: string): boolean => UUID.test(text);
