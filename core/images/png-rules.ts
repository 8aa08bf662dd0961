import { byteAt, uint32 } from './bytes.ts';
import { imageBroken, type Size } from './image.ts';

/** What a colour type allows: its bit depths, and the length of the chunks that depend on it. */
interface ColourType {
  readonly depths: readonly number[];
  readonly palette: 'needed' | 'allowed' | 'forbidden';
  readonly sBIT: number;
  readonly bKGD: number;
  /** Undefined where a transparent colour makes no sense, or is a list as long as the palette. */
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
  /** Where its content starts, and how long that is. */
  readonly data: number;
  readonly length: number;
  /** Where the next chunk starts. */
  readonly end: number;
}

export const readSize = (bytes: Uint8Array, data: number): Size => ({
  width: uint32(bytes, data),
  height: uint32(bytes, data + 4),
});

/** The content of IHDR. */
export const readHeader = (bytes: Uint8Array, { data }: PngChunk): PngHeader => {
  const depth = byteAt(bytes, data + 8);
  const colour = COLOUR_TYPES[byteAt(bytes, data + 9)];
  const [compression, filter, interlace] = bytes.subarray(data + 10, data + 13);
  if (!colour?.depths.includes(depth)) throw imageBroken('there is no such colour type');
  if (compression !== 0 || filter !== 0 || (interlace !== 0 && interlace !== 1))
    throw imageBroken('there is no such way of packing pixels');
  return { depth, colour };
};

/** How many colours a PLTE chunk holds. */
export const countColours = ({ colour, depth }: PngHeader, { length }: PngChunk): number => {
  const most = colour.palette === 'needed' ? 2 ** depth : 256;
  if (colour.palette === 'forbidden' || length === 0 || length % 3 !== 0 || length > 3 * most)
    throw imageBroken('its palette does not fit');
  return length / 3;
};

/** Whether a chunk before the pixels is one that says how they look, in its proper length. */
export const isAboutLooks = ({ colour }: PngHeader, colours: number, { type, length }: PngChunk): boolean => {
  switch (type) {
    case 'gAMA':
      return length === 4;
    case 'cHRM':
      return length === 32;
    case 'sRGB':
      return length === 1;
    case 'pHYs':
      return length === 9;
    case 'sBIT':
      return length === colour.sBIT;
    case 'bKGD':
      return length === colour.bKGD;
    case 'tRNS':
      return colour.palette === 'needed' ? length >= 1 && length <= colours : length === colour.tRNS;
    default:
      return false;
  }
};
