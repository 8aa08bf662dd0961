import { nameAt, textAt, uint32 } from './bytes.ts';
import { crc32 } from './crc32.ts';
import { type Clean, checkSize, imageBroken, makePartCounter } from './image.ts';
import { makeOutput } from './output.ts';
import { countColours, isAboutLooks, type PngChunk, readHeader, readSize } from './png-rules.ts';

const SIGNATURE = '\x89PNG\r\n\x1a\n';
/** Length and type of the first chunk. */
const IHDR = '\0\0\0\rIHDR';
const LETTERS = /^[A-Za-z]{4}$/;

const chunkAt = (bytes: Uint8Array, at: number): PngChunk => {
  const length = uint32(bytes, at);
  const type = nameAt(bytes, at + 4);
  const data = at + 8;
  const end = data + length + 4;
  if (!LETTERS.test(type)) throw imageBroken('there is no such chunk');
  if (end > bytes.length) throw imageBroken('it is cut off');
  if (crc32(bytes, at + 4, data + length) !== uint32(bytes, data + length))
    throw imageBroken('a checksum is wrong');
  return { type, at, data, length, end };
};

/** A decoder that does not know a critical chunk must not show the image (section 5.4). */
const isCritical = (type: string) => type < 'a';

const misplaced = () => imageBroken('a part is unknown or in the wrong place');

export const isPng = (bytes: Uint8Array): boolean => textAt(bytes, 0, SIGNATURE.length) === SIGNATURE;

/**
 * Keeps what is needed to show the still image: no text, times, profiles, frames of animation or unknown chunks
 * (PNG Third Edition, section 5). Bytes after the end make it broken: parts cropped away survive there.
 */
export const cleanPng: Clean = (bytes, limits) => {
  const first = SIGNATURE.length;
  if (textAt(bytes, first, IHDR.length) !== IHDR) throw imageBroken('it does not start with its header');
  const size = readSize(bytes, first + IHDR.length);
  checkSize(size, limits);
  let chunk = chunkAt(bytes, first);
  const header = readHeader(bytes, chunk);
  const out = makeOutput(bytes);
  out.keep(0, chunk.end);

  const countPart = makePartCounter();
  const next = () => {
    countPart();
    chunk = chunkAt(bytes, chunk.end);
    return chunk;
  };
  const keep = () => out.keep(chunk.at, chunk.end);

  const seen = new Set<string>();
  let colours = 0;
  while (next().type !== 'IDAT') {
    const { type } = chunk;
    if (type === 'PLTE' && colours === 0) {
      colours = countColours(header, chunk);
      keep();
    } else if (isCritical(type)) {
      throw misplaced();
    } else if (!seen.has(type) && isAboutLooks(header, colours, chunk)) {
      seen.add(type);
      keep();
    }
  }

  if (header.colour.palette === 'needed' && colours === 0) throw imageBroken('its palette is missing');
  let packed = 0;
  for (; chunk.type === 'IDAT'; next()) {
    packed += chunk.length;
    keep();
  }
  if (packed === 0) throw imageBroken('it has no pixels');

  for (; chunk.type !== 'IEND'; next()) {
    if (isCritical(chunk.type)) throw misplaced();
  }
  if (chunk.length > 0 || chunk.end < bytes.length) throw imageBroken('it goes on after its end');
  keep();
  return { ...size, bytes: out.bytes() };
};
