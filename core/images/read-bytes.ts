import { imageBroken } from './image-limits.ts';

/** The byte at a position. Throws `image_broken` outside the file, as all functions below do except `textAt`. */
export const byteAt = (bytes: Uint8Array, at: number): number => {
  const byte = bytes[at];
  if (byte === undefined) throw imageBroken('it is cut off');
  return byte;
};

export const uint16 = (bytes: Uint8Array, at: number): number =>
  byteAt(bytes, at) * 0x100 + byteAt(bytes, at + 1);

export const uint32 = (bytes: Uint8Array, at: number): number =>
  uint16(bytes, at) * 0x1_0000 + uint16(bytes, at + 2);

export const uint16Little = (bytes: Uint8Array, at: number): number =>
  byteAt(bytes, at) + byteAt(bytes, at + 1) * 0x100;

export const uint24Little = (bytes: Uint8Array, at: number): number =>
  uint16Little(bytes, at) + byteAt(bytes, at + 2) * 0x1_0000;

export const uint32Little = (bytes: Uint8Array, at: number): number =>
  uint16Little(bytes, at) + uint16Little(bytes, at + 2) * 0x1_0000;

/** The bytes as Latin-1 characters; fewer at the end of the file, so that a comparison fails. */
export const textAt = (bytes: Uint8Array, at: number, length: number): string => {
  const end = Math.min(at + length, bytes.length);
  let text = '';
  for (let offset = at; offset < end; offset += 1) {
    text += String.fromCharCode(byteAt(bytes, offset));
  }
  return text;
};

/** The four letters that name a chunk. */
export const nameAt = (bytes: Uint8Array, at: number): string =>
  String.fromCharCode(byteAt(bytes, at), byteAt(bytes, at + 1), byteAt(bytes, at + 2), byteAt(bytes, at + 3));
