import { big16, join, makeBits, type Part } from './bytes.ts';

export const jpegSegment = (marker: number, ...content: readonly Part[]): Uint8Array => {
  const body = join(...content);
  return join(0xff, marker, big16(body.length + 2), body);
};

export interface JpegShape {
  readonly width: number;
  readonly height: number;
  readonly components: number;
  readonly progressive: boolean;
  /** A restart marker after each block row of all components. */
  readonly restarts: boolean;
}

const small: JpegShape = { width: 1, height: 1, components: 3, progressive: false, restarts: false };

export const SOI = '\xff\xd8';
export const EOI = '\xff\xd9';

export const jpegFrame = (shape: Partial<JpegShape> = {}): Uint8Array => {
  const { width, height, components, progressive } = { ...small, ...shape };
  const each = Array.from({ length: components }, (_, index) => [index + 1, 0x11, 0]).flat();
  const content = join(8, big16(height), big16(width), components, Uint8Array.from(each));
  return jpegSegment(progressive ? 0xc2 : 0xc0, content);
};

/** Quantization steps of 8, so that a block's grey is its first coefficient + 128. */
export const jpegSteps = jpegSegment(0xdb, 0, new Uint8Array(64).fill(8));

/** Huffman codes: four bits for the size of a first coefficient, and one bit, 0, for the end of a block. */
export const jpegCodes = join(
  jpegSegment(
    0xc4,
    0x00,
    '\0\0\0\x0c'.padEnd(16, '\0'),
    Uint8Array.from({ length: 12 }, (_, size) => size),
  ),
  jpegSegment(0xc4, 0x10, '\x01'.padEnd(16, '\0'), 0),
);

interface Scan {
  readonly components: readonly number[];
  readonly band: readonly [first: number, last: number];
}

const scanHeader = ({ components, band: [first, last] }: Scan) => {
  const each = components.flatMap((component) => [component, 0x00]);
  return jpegSegment(0xda, components.length, Uint8Array.from(each), first, last, 0);
};

/** The blocks of a scan, each of a single grey. */
const scanPixels = (
  { components, band: [first, last] }: Scan,
  blocks: number,
  restarts: boolean,
): Uint8Array => {
  const parts: Part[] = [];
  let bits = makeBits('high');
  const before = new Map<number, number>();
  for (let block = 0; block < blocks; block += 1) {
    for (const component of components) {
      if (first === 0) {
        const level = ((block * 61 + component * 40) % 256) - 128;
        const difference = level - (before.get(component) ?? 0);
        before.set(component, level);
        const size = difference === 0 ? 0 : Math.floor(Math.log2(Math.abs(difference))) + 1;
        bits.add(size, 4);
        bits.add(difference < 0 ? difference + 2 ** size - 1 : difference, size);
      }
      if (last > 0) bits.add(0, 1);
    }
    if (restarts && block < blocks - 1) {
      parts.push(stuffBytes(bits.bytes(1)), 0xff, 0xd0 + (block % 8));
      bits = makeBits('high');
      before.clear();
    }
  }
  return join(...parts, stuffBytes(bits.bytes(1)));
};

const stuffBytes = (bytes: Uint8Array) =>
  Uint8Array.from([...bytes].flatMap((byte) => (byte === 255 ? [255, 0] : [byte])));

export interface JpegParts extends Partial<JpegShape> {
  /** Segments right after the start. */
  readonly before?: readonly Uint8Array[];
  readonly trailing?: Uint8Array | string;
}

/** Frame, tables and scans, which cleaning must not change. */
export const jpegImage = (change: Partial<JpegShape> = {}): Uint8Array => {
  const shape = { ...small, ...change };
  const blocks = Math.ceil(shape.width / 8) * Math.ceil(shape.height / 8);
  const all = Array.from({ length: shape.components }, (_, index) => index + 1);
  const scans: Scan[] = shape.progressive
    ? [
        { components: all, band: [0, 0] },
        ...all.map((component): Scan => ({ components: [component], band: [1, 63] })),
      ]
    : [{ components: all, band: [0, 63] }];
  return join(
    jpegSteps,
    jpegFrame(shape),
    jpegCodes,
    ...(shape.restarts ? [jpegSegment(0xdd, big16(1))] : []),
    ...scans.flatMap((scan) => [scanHeader(scan), scanPixels(scan, blocks, shape.restarts)]),
  );
};

export const makeJpeg = ({ before = [], trailing = '', ...shape }: JpegParts = {}): Uint8Array =>
  join(SOI, ...before, jpegImage(shape), EOI, trailing);

export const jfif = jpegSegment(0xe0, 'JFIF\0', 1, 2, 1, big16(72), big16(72), 0, 0);
export const adobe = jpegSegment(0xee, 'Adobe', big16(100), big16(0), big16(0), 1);
export const exifSegment = (tiff: Uint8Array): Uint8Array => jpegSegment(0xe1, 'Exif\0\0', tiff);
