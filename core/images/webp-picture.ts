import { byteAt, textAt, uint16Little, uint24Little, uint32Little } from './bytes.ts';
import { imageBroken, type Size } from './image.ts';
import type { Output } from './output.ts';
import { keepChunk, type WebpChunk } from './webp-chunks.ts';

const KEY_FRAME_START = '\x9d\x01\x2a';

/** The frame header of lossy pixels: a key frame that is shown (RFC 6386, section 9.1). */
const readLossySize = (bytes: Uint8Array, { data, dataEnd }: WebpChunk): Size => {
  const tag = uint24Little(bytes, data);
  const isShownKeyFrame = (tag & 0b1_000_1) === 0b1_000_0;
  const version = (tag >> 1) & 7;
  if (!isShownKeyFrame || version > 3 || textAt(bytes, data + 3, 3) !== KEY_FRAME_START)
    throw imageBroken('its pixels have no header');
  if (data + 10 + (tag >> 5) > dataEnd) throw imageBroken('it is cut off');
  return {
    width: uint16Little(bytes, data + 6) & 0x3fff,
    height: uint16Little(bytes, data + 8) & 0x3fff,
  };
};

/** The header of lossless pixels (RFC 9649, section 3.4). */
const readLosslessSize = (bytes: Uint8Array, { data, dataEnd }: WebpChunk): Size => {
  if (dataEnd < data + 5) throw imageBroken('it is cut off');
  const bits = uint32Little(bytes, data + 1);
  if (byteAt(bytes, data) !== 0x2f || bits >>> 29 !== 0) throw imageBroken('its pixels have no header');
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
};

/** The size of the picture that a chunk holds; undefined when it holds none. */
export const pictureSize = (bytes: Uint8Array, chunk: WebpChunk): Size | undefined => {
  if (chunk.type === 'VP8 ') return readLossySize(bytes, chunk);
  if (chunk.type === 'VP8L') return readLosslessSize(bytes, chunk);
  return undefined;
};

export interface Picture {
  /** Keeps the chunk if it is a part of the picture; throws `image_broken` when that does not belong there. */
  take(chunk: WebpChunk): void;
  isWhole(): boolean;
}

/** One picture of the announced size: pixels, preceded by an alpha chunk if they are lossy. */
export const makePicture = (bytes: Uint8Array, out: Output, { width, height }: Size): Picture => {
  let hasAlpha = false;
  let isWhole = false;
  const take = (chunk: WebpChunk) => {
    const size = pictureSize(bytes, chunk);
    if (size === undefined && chunk.type !== 'ALPH') return;
    if (isWhole || (hasAlpha && chunk.type !== 'VP8 ')) throw imageBroken('it holds one picture too many');
    if (size === undefined) hasAlpha = true;
    else if (size.width === width && size.height === height) isWhole = true;
    else throw imageBroken('its pixels have another size than it says');
    keepChunk(out, chunk);
  };
  return { take, isWhole: () => isWhole };
};
