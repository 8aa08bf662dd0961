import { join, little16, makeBits, type Part } from './bytes.ts';

export const subBlocks = (content: Uint8Array | string, size = 255): Uint8Array => {
  const bytes = join(content);
  const parts: Part[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size);
    parts.push(piece.length, piece);
  }
  return join(...parts, 0);
};

/** Pixels of four colours, in LZW codes of three bits: the table is cleared every other pixel, so that codes never get longer. */
const packPixels = (pixels: number): Uint8Array => {
  const bits = makeBits('low');
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    if (pixel % 2 === 0) bits.add(4, 3);
    bits.add(pixel % 4, 3);
  }
  bits.add(5, 3);
  return bits.bytes(0);
};

export interface GifFrame {
  readonly left?: number;
  readonly top?: number;
  readonly width?: number;
  readonly height?: number;
  readonly ownColours?: boolean;
  readonly codeSize?: number;
}

const COLOURS = '\xff\0\0\0\xff\0\0\0\xff\xff\xff\0';

export const gifFrame = (frame: GifFrame = {}): Uint8Array => {
  const { left = 0, top = 0, width = 3, height = 2, ownColours = false, codeSize = 2 } = frame;
  return join(
    ',',
    ...[left, top, width, height].map(little16),
    ...(ownColours ? [0x81, COLOURS] : [0]),
    codeSize,
    subBlocks(packPixels(width * height)),
  );
};

/** Shows the next frame for a tenth of a second. */
export const gifControl = join('!\xf9\x04', 0, little16(10), 0, 0);
export const gifComment = (text: string): Uint8Array => join('!\xfe', subBlocks(text));
export const gifApplication = (name: string, content: Uint8Array | string): Uint8Array =>
  join('!\xff\x0b', name, subBlocks(content));
export const gifLoop = gifApplication('NETSCAPE2.0', '\x01\0\0');
/** A plain text extension: decoders of 1989 draw the text over the picture. */
export const gifText = (text: string): Uint8Array => join('!\x01\x0c', new Uint8Array(12), subBlocks(text));

export interface GifParts {
  readonly version?: '87a' | '89a';
  readonly width?: number;
  readonly height?: number;
  readonly blocks?: readonly Uint8Array[];
  readonly trailing?: Uint8Array | string;
}

export const makeGif = (parts: GifParts = {}): Uint8Array => {
  const { version = '89a', width = 3, height = 2, blocks = [gifFrame()], trailing = '' } = parts;
  return join(
    `GIF${version}`,
    little16(width),
    little16(height),
    0x81,
    0,
    0,
    COLOURS,
    ...blocks,
    ';',
    trailing,
  );
};
