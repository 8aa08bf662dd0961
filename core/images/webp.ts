import { byteAt, littleEndian, textAt, uint24Little, uint32Little } from './bytes.ts';
import { orientationBlock, orientationOf, UPRIGHT } from './exif.ts';
import { type Clean, checkFrameCount, checkSize, imageBroken, makePartCounter, type Size } from './image.ts';
import { makeOutput } from './output.ts';
import { chunkAt, keepChunk, type WebpChunk } from './webp-chunks.ts';
import { keepFrame } from './webp-frame.ts';
import { makePicture, pictureSize } from './webp-picture.ts';

const ALPHA = 0x10;
const EXIF = 0x08;
const ANIMATION = 0x02;

const HEADER_LENGTH = 12;
/** Of the whole file: length of the RIFF chunk, flags of VP8X. */
const RIFF_LENGTH_AT = 4;
const FLAGS_AT = 20;

const misplaced = () => imageBroken('a part is in the wrong place');

export const isWebp = (bytes: Uint8Array): boolean =>
  textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP';

/** The canvas that a VP8X chunk spans. */
const readCanvas = (bytes: Uint8Array, { data, dataEnd }: WebpChunk): Size => {
  if (dataEnd !== data + 10) throw imageBroken('its header has the wrong length');
  return { width: 1 + uint24Little(bytes, data + 4), height: 1 + uint24Little(bytes, data + 7) };
};

/** The orientation as an EXIF chunk of its own, no bytes when upright. Some writers name the block as JPEG does. */
const leastExif = (bytes: Uint8Array, { data, dataEnd }: WebpChunk): readonly number[] => {
  const start = textAt(bytes, data, 6) === 'Exif\0\0' ? data + 6 : data;
  const orientation = orientationOf(bytes.subarray(start, Math.max(start, dataEnd)));
  if (orientation === UPRIGHT) return [];
  const block = orientationBlock(orientation);
  return [...Array.from('EXIF', (letter) => letter.charCodeAt(0)), ...littleEndian(block.length), ...block];
};

/** Keeps pictures, frames and how they play: no EXIF but the orientation, no XMP, profile or unknown chunk (RFC 9649). */
export const cleanWebp: Clean = (bytes, limits) => {
  const first = chunkAt(bytes, HEADER_LENGTH, bytes.length);
  const isExtended = first.type === 'VP8X';
  const canvas = isExtended ? readCanvas(bytes, first) : pictureSize(bytes, first);
  if (canvas === undefined) throw imageBroken('it does not start with its header');
  checkSize(canvas, limits);
  if (uint32Little(bytes, RIFF_LENGTH_AT) !== bytes.length - 8)
    throw imageBroken('it is shorter or longer than it says');

  const out = makeOutput(bytes);
  out.keep(0, HEADER_LENGTH);
  let flags = 0;
  if (isExtended) {
    flags = byteAt(bytes, FLAGS_AT) & (ALPHA | ANIMATION);
    keepChunk(out, first);
    out.patch(FLAGS_AT, [flags, 0, 0, 0]);
  }
  const isAnimated = (flags & ANIMATION) !== 0;
  const still = makePicture(bytes, out, canvas);
  let hasExif = false;
  let hasAnimation = false;
  let frames = 0;
  const countPart = makePartCounter();
  for (let at = isExtended ? first.end : HEADER_LENGTH; at < bytes.length; ) {
    countPart();
    const chunk = chunkAt(bytes, at, bytes.length);
    at = chunk.end;
    switch (chunk.type) {
      case 'VP8X':
        throw misplaced();
      case 'ALPH':
      case 'VP8 ':
      case 'VP8L':
        if (isAnimated) throw misplaced();
        still.take(chunk);
        break;
      case 'ANIM':
        if (!isAnimated) break;
        if (hasAnimation || chunk.dataEnd !== chunk.data + 6) throw misplaced();
        hasAnimation = true;
        keepChunk(out, chunk);
        break;
      case 'ANMF':
        if (!hasAnimation) throw misplaced();
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
  if (isAnimated ? frames === 0 : !still.isWhole()) throw imageBroken('it has no pixels');
  out.patch(RIFF_LENGTH_AT, littleEndian(out.length() - 8));
  return { ...canvas, bytes: out.bytes() };
};
