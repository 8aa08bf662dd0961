import { orientationBlock, orientationOf, UPRIGHT } from './exif.ts';
import {
  type CleanImageFile,
  checkFrameCount,
  checkSize,
  type ImageLimits,
  imageBroken,
  makePartCounter,
  type Size,
} from './image-limits.ts';
import { byteAt, nameAt, textAt, uint16Little, uint24Little, uint32Little } from './read-bytes.ts';
import { littleEndian, makeOutput, type Output } from './write-bytes.ts';

export interface WebpChunk {
  readonly type: string;
  readonly at: number;
  /** The start and the end of the content. */
  readonly data: number;
  readonly dataEnd: number;
  /** The start of the next chunk: lengths are padded to even numbers. */
  readonly end: number;
}

/** The chunk at a position inside a file or chunk that ends at `limit` (RFC 9649, section 2.3). */
const chunkAt = (bytes: Uint8Array, at: number, limit: number): WebpChunk => {
  const data = at + 8;
  const length = uint32Little(bytes, at + 4);
  const dataEnd = data + length;
  const end = dataEnd + (length % 2);
  if (end > limit) throw imageBroken('it is cut off');
  return { type: nameAt(bytes, at), at, data, dataEnd, end };
};

/** Copies a chunk; the padding becomes zero, as it should be. */
const keepChunk = (out: Output, { at, dataEnd, end }: WebpChunk): void => {
  out.keep(at, dataEnd);
  if (end > dataEnd) out.add([0]);
};

const KEY_FRAME_START = '\x9d\x01\x2a';

/** The frame header of lossy pixels: a key frame that is shown (RFC 6386, section 9.1). */
const readLossySize = (bytes: Uint8Array, { data, dataEnd }: WebpChunk): Size => {
  // Bit 0 is 0 for a key frame, bits 1 to 3 are the version, bit 4 is 1 if it is shown, the others are a length.
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
  const version = bits >>> 29;
  if (byteAt(bytes, data) !== 0x2f || version !== 0) throw imageBroken('its pixels have no header');
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
};

/** The size of the picture in a chunk; undefined if it has none. */
const pictureSize = (bytes: Uint8Array, chunk: WebpChunk): Size | undefined => {
  if (chunk.type === 'VP8 ') return readLossySize(bytes, chunk);
  if (chunk.type === 'VP8L') return readLosslessSize(bytes, chunk);
  return undefined;
};

/** One picture of the announced size: its pixels. Lossy pixels may follow an alpha chunk. */
const makePicture = (bytes: Uint8Array, out: Output, { width, height }: Size) => {
  let hasAlpha = false;
  let isWhole = false;
  /** Keeps the chunk if it is a part of the picture; throws `image_broken` if it is misplaced, malformed or of another size. */
  const take = (chunk: WebpChunk): void => {
    const size = pictureSize(bytes, chunk);
    if (size === undefined && chunk.type !== 'ALPH') return;
    if (isWhole || (hasAlpha && chunk.type !== 'VP8 ')) throw imageBroken('it has too many pictures');
    if (size === undefined) hasAlpha = true;
    else if (size.width === width && size.height === height) isWhole = true;
    else throw imageBroken('its pixels do not have the announced size');
    keepChunk(out, chunk);
  };
  return { take, isWhole: () => isWhole };
};

const FRAME_HEADER_LENGTH = 16;

/** Copies one frame of an animation (ANMF), which must fit the canvas, without chunks that do not belong to its picture. */
const keepFrame = (
  bytes: Uint8Array,
  out: Output,
  chunk: WebpChunk,
  canvas: Size,
  limits: ImageLimits,
  countPart: () => void,
): void => {
  const { data, dataEnd } = chunk;
  const content = data + FRAME_HEADER_LENGTH;
  // Positions are stored halved, sizes less one.
  const left = 2 * uint24Little(bytes, data);
  const top = 2 * uint24Little(bytes, data + 3);
  const width = 1 + uint24Little(bytes, data + 6);
  const height = 1 + uint24Little(bytes, data + 9);
  checkSize({ width, height }, limits);
  if (left + width > canvas.width || top + height > canvas.height)
    throw imageBroken('a frame exceeds its bounds');

  const start = out.length();
  out.keep(chunk.at, content);
  const picture = makePicture(bytes, out, { width, height });
  for (let at = content; at < dataEnd; ) {
    countPart();
    const part = chunkAt(bytes, at, dataEnd);
    picture.take(part);
    at = part.end;
  }
  if (!picture.isWhole()) throw imageBroken('a frame has no pixels');
  // The length of a chunk stands behind its name of four bytes, and counts neither.
  out.patch(start + 4, littleEndian(out.length() - start - 8));
};

/** Flags of VP8X: what the file contains (RFC 9649, section 2.7). */
const ALPHA = 0x10;
const EXIF = 0x08;
const ANIMATION = 0x02;

const HEADER_LENGTH = 12;
/** Positions in the file: the length of the RIFF chunk, the flags of VP8X. */
const RIFF_LENGTH_AT = 4;
const FLAGS_AT = 20;

const misplaced = () => imageBroken('a part is in the wrong place');

export const isWebp = (bytes: Uint8Array): boolean =>
  textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP';

/** The canvas of a VP8X chunk. */
const readCanvas = (bytes: Uint8Array, { data, dataEnd }: WebpChunk): Size => {
  if (dataEnd !== data + 10) throw imageBroken('its header has the wrong length');
  return { width: 1 + uint24Little(bytes, data + 4), height: 1 + uint24Little(bytes, data + 7) };
};

/** An EXIF chunk with only the orientation; empty if upright. Some writers prefix the block as in JPEG. */
const leastExif = (bytes: Uint8Array, { data, dataEnd }: WebpChunk): readonly number[] => {
  const start = textAt(bytes, data, 6) === 'Exif\0\0' ? data + 6 : data;
  const orientation = orientationOf(bytes.subarray(start, dataEnd));
  if (orientation === UPRIGHT) return [];
  const block = orientationBlock(orientation);
  return [...Array.from('EXIF', (letter) => letter.charCodeAt(0)), ...littleEndian(block.length), ...block];
};

/**
 * Keeps pictures, frames, their timing and the orientation of EXIF; drops XMP, profiles, unknown chunks and what follows the RIFF
 * chunk (RFC 9649).
 */
export const cleanWebp: CleanImageFile = (bytes, limits) => {
  const fileEnd = RIFF_LENGTH_AT + 4 + uint32Little(bytes, RIFF_LENGTH_AT);
  if (fileEnd > bytes.length) throw imageBroken('it is cut off');
  const first = chunkAt(bytes, HEADER_LENGTH, fileEnd);
  const isExtended = first.type === 'VP8X';
  const canvas = isExtended ? readCanvas(bytes, first) : pictureSize(bytes, first);
  if (canvas === undefined) throw imageBroken('it does not start with its header');
  checkSize(canvas, limits);

  const out = makeOutput(bytes);
  out.keep(0, HEADER_LENGTH);
  let flags = 0;
  if (isExtended) {
    flags = byteAt(bytes, FLAGS_AT) & (ALPHA | ANIMATION);
    keepChunk(out, first);
    out.patch(FLAGS_AT, [flags, 0, 0, 0]);
  }
  const isAnimated = (flags & ANIMATION) !== 0;
  const stillPicture = makePicture(bytes, out, canvas);
  let hasExif = false;
  let hasAnimChunk = false;
  let frames = 0;
  const countPart = makePartCounter();
  for (let at = isExtended ? first.end : HEADER_LENGTH; at < fileEnd; ) {
    countPart();
    const chunk = chunkAt(bytes, at, fileEnd);
    at = chunk.end;
    switch (chunk.type) {
      case 'VP8X':
        throw misplaced();
      case 'ALPH':
      case 'VP8 ':
      case 'VP8L':
        if (isAnimated) throw misplaced();
        stillPicture.take(chunk);
        break;
      case 'ANIM':
        if (!isAnimated) break;
        if (hasAnimChunk || chunk.dataEnd !== chunk.data + 6) throw misplaced();
        hasAnimChunk = true;
        keepChunk(out, chunk);
        break;
      case 'ANMF':
        if (!hasAnimChunk) throw misplaced();
        frames += 1;
        checkFrameCount(frames);
        keepFrame(bytes, out, chunk, canvas, limits, countPart);
        break;
      case 'EXIF': {
        if (!isExtended || hasExif) break;
        hasExif = true;
        const exif = leastExif(bytes, chunk);
        out.add(exif);
        if (exif.length > 0) out.patch(FLAGS_AT, [flags | EXIF]);
      }
    }
  }
  const hasPixels = isAnimated ? frames > 0 : stillPicture.isWhole();
  if (!hasPixels) throw imageBroken('it has no pixels');
  out.patch(RIFF_LENGTH_AT, littleEndian(out.length() - 8));
  return { ...canvas, bytes: out.bytes() };
};
