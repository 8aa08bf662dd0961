import { orientationBlock, orientationOf, UPRIGHT } from './exif.ts';
import { type CleanImageFile, checkSize, imageBroken, makePartCounter, type Size } from './image-limits.ts';
import { byteAt, nameAt, textAt, uint32 } from './read-bytes.ts';
import { bigEndian, makeOutput } from './write-bytes.ts';

/** The remainder for each byte: the polynomial 0xedb88320, bits reversed. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

/** CRC-32 of the bytes from `start` to before `end` (PNG Third Edition, annex D). */
const crc32 = (bytes: Uint8Array, start: number, end: number): number => {
  let crc = 0xffff_ffff;
  for (let at = start; at < end; at += 1) {
    crc = (TABLE[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (crc >>> 8);
  }
  return ~crc >>> 0;
};

/** The bit depths of a colour type, and the length of the chunks that depend on it. */
interface ColourType {
  readonly depths: readonly number[];
  readonly palette: 'needed' | 'allowed' | 'forbidden';
  readonly sBIT: number;
  readonly bKGD: number;
  /** Absent for the types with alpha of their own, and for the type with a palette: there the length depends on the palette. */
  readonly tRNS?: number;
}

/** PNG Third Edition, sections 11.2.1 to 11.3.5. */
const COLOUR_TYPES: Readonly<Record<number, ColourType>> = {
  0: { depths: [1, 2, 4, 8, 16], palette: 'forbidden', sBIT: 1, bKGD: 2, tRNS: 2 },
  2: { depths: [8, 16], palette: 'allowed', sBIT: 3, bKGD: 6, tRNS: 6 },
  3: { depths: [1, 2, 4, 8], palette: 'needed', sBIT: 3, bKGD: 1 },
  4: { depths: [8, 16], palette: 'forbidden', sBIT: 2, bKGD: 2 },
  6: { depths: [8, 16], palette: 'allowed', sBIT: 4, bKGD: 6 },
};

export interface PngHeader {
  readonly depth: number;
  readonly colour: ColourType;
}

export interface PngChunk {
  readonly type: string;
  readonly at: number;
  /** The start of the content, and its length. */
  readonly data: number;
  readonly length: number;
  /** The start of the next chunk. */
  readonly end: number;
}

const readSize = (bytes: Uint8Array, data: number): Size => ({
  width: uint32(bytes, data),
  height: uint32(bytes, data + 4),
});

/** The content of IHDR. */
const readHeader = (bytes: Uint8Array, { data }: PngChunk): PngHeader => {
  const depth = byteAt(bytes, data + 8);
  const colour = COLOUR_TYPES[byteAt(bytes, data + 9)];
  const [compression, filter, interlace] = bytes.subarray(data + 10, data + 13);
  if (!colour?.depths.includes(depth)) throw imageBroken('its colour type is unknown');
  if (compression !== 0 || filter !== 0 || (interlace !== 0 && interlace !== 1))
    throw imageBroken('its compression is unknown');
  return { depth, colour };
};

/** The number of colours of a PLTE chunk. */
const countColours = ({ colour, depth }: PngHeader, { length }: PngChunk): number => {
  const most = colour.palette === 'needed' ? 2 ** depth : 256;
  if (colour.palette === 'forbidden' || length === 0 || length % 3 !== 0 || length > 3 * most)
    throw imageBroken('its palette does not fit');
  return length / 3;
};

/** The lengths of the chunks before the pixels that affect how they look. */
const lengthsByType = ({
  colour: { sBIT, bKGD, tRNS },
}: PngHeader): ReadonlyMap<string, number | undefined> => {
  const colourSpace = { cICP: 4, mDCV: 24, cLLI: 8, sRGB: 1, gAMA: 4, cHRM: 32 };
  return new Map(Object.entries({ ...colourSpace, pHYs: 9, sBIT, bKGD, tRNS }));
};

/** An eXIf chunk with only the orientation (section 11.3.4.5); empty if upright. */
const leastExif = (bytes: Uint8Array, { data, length }: PngChunk): readonly number[] => {
  const orientation = orientationOf(bytes.subarray(data, data + length));
  if (orientation === UPRIGHT) return [];
  const block = orientationBlock(orientation);
  const content = [...Array.from('eXIf', (letter) => letter.charCodeAt(0)), ...block];
  return [
    ...bigEndian(block.length),
    ...content,
    ...bigEndian(crc32(Uint8Array.from(content), 0, content.length)),
  ];
};

const SIGNATURE = '\x89PNG\r\n\x1a\n';
/** Length and type of the first chunk. */
const IHDR = '\0\0\0\rIHDR';
const LETTERS = /^[A-Za-z]{4}$/;

const chunkAt = (bytes: Uint8Array, at: number): PngChunk => {
  const length = uint32(bytes, at);
  const type = nameAt(bytes, at + 4);
  const data = at + 8;
  const end = data + length + 4;
  if (!LETTERS.test(type)) throw imageBroken('the type of a chunk is invalid');
  if (end > bytes.length) throw imageBroken('it is cut off');
  if (crc32(bytes, at + 4, data + length) !== uint32(bytes, data + length))
    throw imageBroken('a checksum is wrong');
  return { type, at, data, length, end };
};

/** Whether the type begins with a capital letter: decoders that do not know it must not show the image (section 5.4). */
const isCritical = (type: string) => type < 'a';

const misplaced = () => imageBroken('a part is unknown or in the wrong place');

export const isPng = (bytes: Uint8Array): boolean => textAt(bytes, 0, SIGNATURE.length) === SIGNATURE;

/**
 * Keeps only what the still image needs: no text, times, profiles, frames of animation or unknown chunks, and nothing
 * after the end, where some editors leave remains of a cropped image (PNG Third Edition, section 5).
 */
export const cleanPng: CleanImageFile = (bytes, limits) => {
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

  // Once for the file: it may have thousands of chunks.
  const lengths = lengthsByType(header);
  const copiedTypes = new Set<string>();
  let colours = 0;
  const affectsRendering = ({ type, length }: PngChunk): boolean =>
    type === 'tRNS' && header.colour.palette === 'needed'
      ? length >= 1 && length <= colours
      : length === lengths.get(type);
  while (next().type !== 'IDAT') {
    const { type } = chunk;
    if (type === 'PLTE' && colours === 0) {
      colours = countColours(header, chunk);
      keep();
    } else if (isCritical(type)) {
      throw misplaced();
    } else if (type === 'eXIf' && !copiedTypes.has(type)) {
      copiedTypes.add(type);
      out.add(leastExif(bytes, chunk));
    } else if (!copiedTypes.has(type) && affectsRendering(chunk)) {
      copiedTypes.add(type);
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
  if (chunk.length > 0) throw imageBroken('its end has the wrong length');
  keep();
  return { ...size, bytes: out.bytes() };
};
