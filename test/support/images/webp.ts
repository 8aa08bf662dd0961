import { join, little24, little32, makeBits, type Part } from './bytes.ts';

export const webpChunk = (type: string, ...content: readonly Part[]): Uint8Array => {
  const body = join(...content);
  return join(type, little32(body.length), body, body.length % 2 === 1 ? 0 : '');
};

export const makeWebp = (...chunks: readonly Uint8Array[]): Uint8Array => {
  const body = join('WEBP', ...chunks);
  return join('RIFF', little32(body.length), body);
};

/** Lossless pixels of one colour: five prefix codes of one symbol each, so that a pixel needs no bits. */
export const losslessPicture = (width: number, height: number, green = 128): Uint8Array => {
  const bits = makeBits('low');
  bits.add(0x2f, 8);
  bits.add(width - 1, 14);
  bits.add(height - 1, 14);
  bits.add(0, 1 + 3 + 3);
  for (const symbol of [green, 40, 200, 255]) {
    bits.add(0b101, 3);
    bits.add(symbol, 8);
  }
  bits.add(0b0001, 4);
  return webpChunk('VP8L', bits.bytes(0));
};

/** Lossy pixels of 16 x 16, compressed by libwebp. */
export const lossyPicture = webpChunk(
  'VP8 ',
  Buffer.from('sAEAnQEqEAAQAAVAfCWwAnQBCRHYAAD+6UEdm52/Q5/RN8m6NmCtOvb6advOTf2gAAA=', 'base64'),
);

/** The opacity of each pixel of a lossy picture, one byte each. */
export const alpha = (pixels: number): Uint8Array =>
  webpChunk(
    'ALPH',
    0,
    Uint8Array.from({ length: pixels }, (_, pixel) => (16 * pixel) & 0xff),
  );

export const FLAG = { animation: 2, xmp: 4, exif: 8, alpha: 16, profile: 32 };

export const webpHeader = (flags: number, width: number, height: number): Uint8Array =>
  webpChunk('VP8X', flags, '\0\0\0', little24(width - 1), little24(height - 1));

/** Plays for ever on white. */
export const webpAnimation = webpChunk('ANIM', '\xff\xff\xff\xff', '\0\0');

export interface WebpFrame {
  /** Even numbers. */
  readonly left?: number;
  readonly top?: number;
  readonly width: number;
  readonly height: number;
}

export const webpFrame = (place: WebpFrame, ...chunks: readonly Uint8Array[]): Uint8Array => {
  const { left = 0, top = 0, width, height } = place;
  const numbers = [left / 2, top / 2, width - 1, height - 1, 100].map(little24);
  return webpChunk('ANMF', ...numbers, 0, ...chunks);
};
