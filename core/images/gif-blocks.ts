import { byteAt, textAt, uint16Little } from './bytes.ts';
import { checkSize, type ImageLimits, imageBroken, type Size } from './image.ts';

/** Where a colour table ends that starts here, if the flags announce one (GIF89a, sections 18 and 20). */
export const endOfColours = (flags: number, start: number): number =>
  flags & 0x80 ? start + 3 * 2 ** ((flags & 7) + 1) : start;

/** Where a series of sub-blocks ends, its terminator included (section 15). */
export const endOfSubBlocks = (bytes: Uint8Array, start: number): number => {
  for (let at = start; ; ) {
    const length = byteAt(bytes, at);
    at += 1 + length;
    if (length === 0) return at;
  }
};

/** Where a frame ends: its descriptor, colours and packed pixels (sections 20 to 22). */
export const endOfFrame = (bytes: Uint8Array, at: number, screen: Size, limits: ImageLimits): number => {
  const left = uint16Little(bytes, at + 1);
  const top = uint16Little(bytes, at + 3);
  const size = { width: uint16Little(bytes, at + 5), height: uint16Little(bytes, at + 7) };
  checkSize(size, limits);
  if (left + size.width > screen.width || top + size.height > screen.height)
    throw imageBroken('a frame stands out of it');
  const pixels = endOfColours(byteAt(bytes, at + 9), at + 10);
  const codeSize = byteAt(bytes, pixels);
  if (codeSize < 2 || codeSize > 8) throw imageBroken('there is no such way of packing pixels');
  if (byteAt(bytes, pixels + 1) === 0) throw imageBroken('a frame has no pixels');
  return endOfSubBlocks(bytes, pixels + 1);
};

const LOOPING = ['NETSCAPE2.0', 'ANIMEXTS1.0'];

/** Length of an application extension up to its own sub-blocks (section 26). */
export const APPLICATION_HEADER = 14;

/**
 * Where the application extension at a position has the four bytes that say how often the animation plays;
 * undefined when it has none. Browsers know two names for it, neither of which is in the specification.
 */
export const findLooping = (bytes: Uint8Array, at: number): number | undefined => {
  if (byteAt(bytes, at + 2) !== 11 || !LOOPING.includes(textAt(bytes, at + 3, 11))) return undefined;
  let block = at + APPLICATION_HEADER;
  for (let length = byteAt(bytes, block); length > 0; length = byteAt(bytes, block)) {
    if (length === 3 && byteAt(bytes, block + 1) === 1) return block;
    block += 1 + length;
  }
  return undefined;
};
