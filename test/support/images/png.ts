import { crc32, deflateSync } from 'node:zlib';
import { big32, join } from './bytes.ts';

export const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n';

export const pngChunk = (type: string, content: Uint8Array | string = ''): Uint8Array => {
  const body = join(type, content);
  return join(big32(body.length - 4), body, big32(crc32(body)));
};

export interface PngShape {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  /** 0 grey, 2 colour, 3 palette, 4 grey with transparency, 6 colour with transparency. */
  readonly colourType: number;
}

export const pngHeader = (shape: Partial<PngShape> = {}): Uint8Array => {
  const { width, height, depth, colourType } = { ...small, ...shape };
  return pngChunk('IHDR', join(big32(width), big32(height), depth, colourType, 0, 0, 0));
};

const small: PngShape = { width: 5, height: 3, depth: 8, colourType: 2 };
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** The compressed pixels of a pattern, as one stream. */
export const pngPixels = (shape: Partial<PngShape> = {}): Uint8Array => {
  const { width, height, depth, colourType } = { ...small, ...shape };
  const row = Math.ceil((width * depth * (CHANNELS[colourType] ?? 1)) / 8);
  const pixels = Uint8Array.from({ length: height * (row + 1) }, (_, at) => {
    if (at % (row + 1) === 0) return 0;
    return colourType === 3 ? 0x11 : (at * 37) & 0xff;
  });
  return Uint8Array.from(deflateSync(pixels));
};

/** Sixteen greys. */
export const pngPalette = pngChunk(
  'PLTE',
  Uint8Array.from({ length: 48 }, (_, at) => 16 * Math.floor(at / 3)),
);

export interface PngParts extends Partial<PngShape> {
  /** Chunks before and after the pixels. */
  readonly before?: readonly Uint8Array[];
  readonly after?: readonly Uint8Array[];
  /** The number of chunks of the pixels. */
  readonly pieces?: number;
}

export const makePng = ({ before = [], after = [], pieces = 1, ...shape }: PngParts = {}): Uint8Array => {
  const pixels = pngPixels(shape);
  const size = Math.ceil(pixels.length / pieces);
  return join(
    PNG_SIGNATURE,
    pngHeader(shape),
    ...(shape.colourType === 3 ? [pngPalette] : []),
    ...before,
    ...Array.from({ length: pieces }, (_, index) =>
      pngChunk('IDAT', pixels.subarray(index * size, (index + 1) * size)),
    ),
    ...after,
    pngChunk('IEND'),
  );
};

/** The chunks of an intact file: type and content. */
export const readPngChunks = (bytes: Uint8Array): { type: string; content: Uint8Array }[] => {
  const file = Buffer.from(bytes);
  const chunks: { type: string; content: Uint8Array }[] = [];
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const content = file.subarray(at + 8, at + 8 + length);
    chunks.push({ type: file.toString('latin1', at + 4, at + 8), content: Uint8Array.from(content) });
    at += 12 + length;
  }
  return chunks;
};
