import { orientationBlock, orientationOf, UPRIGHT } from './exif.ts';
import {
  type CleanImageFile,
  checkSize,
  imageBroken,
  imageTooLarge,
  makePartCounter,
  type Size,
} from './image-limits.ts';
import { byteAt, textAt, uint16 } from './read-bytes.ts';
import { makeOutput } from './write-bytes.ts';

/** The second byte of a marker, after 0xff (ITU-T T.81, table B.1). */
const MARKER = {
  SOF0: 0xc0,
  SOF1: 0xc1,
  SOF2: 0xc2,
  DHT: 0xc4,
  DAC: 0xcc,
  RST0: 0xd0,
  RST7: 0xd7,
  EOI: 0xd9,
  SOS: 0xda,
  DQT: 0xdb,
  DNL: 0xdc,
  DRI: 0xdd,
  APP0: 0xe0,
  APP1: 0xe1,
  APP14: 0xee,
  APP15: 0xef,
  COM: 0xfe,
} as const;

export interface Segment {
  readonly marker: number;
  readonly at: number;
  /** The start of the content, behind marker and length. */
  readonly data: number;
  readonly end: number;
}

export interface JpegFrame extends Size {
  readonly isProgressive: boolean;
  readonly components: ReadonlySet<number>;
}

const wrongLength = () => imageBroken('a part has the wrong length');
const outOfRange = () => imageBroken('a value is out of its range');

const readFrameSize = (bytes: Uint8Array, { data }: Segment): Size => ({
  width: uint16(bytes, data + 3),
  height: uint16(bytes, data + 1),
});

/** A frame header with 8 bits per sample and one to four components (T.81, B.2.2). */
const readFrame = (bytes: Uint8Array, segment: Segment): JpegFrame => {
  const { data, end } = segment;
  const count = byteAt(bytes, data + 5);
  if (byteAt(bytes, data) !== 8 || count < 1 || count > 4) throw outOfRange();
  if (end !== data + 6 + 3 * count) throw wrongLength();
  const components = new Set<number>();
  for (let at = data + 6; at < end; at += 3) {
    const factors = byteAt(bytes, at + 1);
    const isFactor = (factor: number) => factor >= 1 && factor <= 4;
    if (!isFactor(factors >> 4) || !isFactor(factors & 15) || byteAt(bytes, at + 2) > 3) throw outOfRange();
    components.add(byteAt(bytes, at));
  }
  if (components.size < count) throw imageBroken('two of its components have the same name');
  return { ...readFrameSize(bytes, segment), isProgressive: segment.marker === MARKER.SOF2, components };
};

/** A scan header (T.81, B.2.3, G.1.1.1): its components belong to the frame, and a progressive scan has a valid band. */
const checkScan = (bytes: Uint8Array, { data, end }: Segment, frame: JpegFrame): void => {
  const count = byteAt(bytes, data);
  if (count < 1 || count > frame.components.size) throw outOfRange();
  const band = data + 1 + 2 * count;
  if (end !== band + 3) throw wrongLength();
  for (let at = data + 1; at < band; at += 2) {
    const tables = byteAt(bytes, at + 1);
    if (!frame.components.has(byteAt(bytes, at)) || tables >> 4 > 3 || (tables & 15) > 3) throw outOfRange();
  }
  const first = byteAt(bytes, band);
  const last = byteAt(bytes, band + 1);
  const approximation = byteAt(bytes, band + 2);
  // The DC coefficient alone, or AC coefficients of one component.
  const isBand = first === 0 ? last === 0 : first <= last && last <= 63 && count === 1;
  if (frame.isProgressive && (!isBand || approximation >> 4 > 13 || (approximation & 15) > 13))
    throw outOfRange();
};

/** T.81, B.2.4.1. */
const checkQuantization = (bytes: Uint8Array, { data, end }: Segment): void => {
  let at = data;
  while (at < end) {
    const precision = byteAt(bytes, at) >> 4;
    if (precision > 1 || (byteAt(bytes, at) & 15) > 3) throw outOfRange();
    at += 1 + 64 * (precision + 1);
  }
  if (at > end) throw wrongLength();
};

/** T.81, B.2.4.2. */
const checkHuffman = (bytes: Uint8Array, { data, end }: Segment): void => {
  let at = data;
  while (at < end) {
    if (byteAt(bytes, at) >> 4 > 1 || (byteAt(bytes, at) & 15) > 3) throw outOfRange();
    let symbols = 0;
    for (let length = 1; length <= 16; length += 1) symbols += byteAt(bytes, at + length);
    if (symbols > 256) throw outOfRange();
    at += 17 + symbols;
  }
  if (at > end) throw wrongLength();
};

/** The segment at a position. The end of the image is a segment without content. */
const segmentAt = (bytes: Uint8Array, start: number): Segment => {
  if (byteAt(bytes, start) !== 0xff) throw imageBroken('it has data between its parts');
  let at = start;
  while (byteAt(bytes, at + 1) === 0xff) at += 1;
  const marker = byteAt(bytes, at + 1);
  const data = at + 4;
  if (marker === MARKER.EOI) return { marker, at, data: at + 2, end: at + 2 };
  const end = at + 2 + uint16(bytes, at + 2);
  if (end < data || end > bytes.length) throw imageBroken('it is cut off');
  return { marker, at, data, end };
};

/** The end of the pixels that begin at `start`: the next marker except a restart. `ff 00` is no marker (T.81, B.1.1.5). */
const endOfScan = (bytes: Uint8Array, start: number): number => {
  for (let at = start; at + 1 < bytes.length; at += 1) {
    if (bytes[at] !== 0xff) continue;
    const next = byteAt(bytes, at + 1);
    if (next === 0 || (next >= MARKER.RST0 && next <= MARKER.RST7)) at += 1;
    else if (next !== 0xff) return at;
  }
  throw imageBroken('it is cut off');
};

const EXIF = 'Exif\0\0';

/** The bytes of a segment with at most 253 bytes of content. */
const bytesOfSegment = (marker: number, content: ArrayLike<number>): readonly number[] => [
  0xff,
  marker,
  0,
  content.length + 2,
  ...Array.from(content),
];

/** Version and density without the thumbnail (JFIF 1.02). */
const leastJfif = (content: Uint8Array) =>
  content.length >= 14 && textAt(content, 0, 5) === 'JFIF\0'
    ? bytesOfSegment(MARKER.APP0, [...content.subarray(0, 12), 0, 0])
    : undefined;

/** The colour transform of the pixels; without it some images have wrong colours. */
const leastAdobe = (content: Uint8Array) =>
  content.length >= 12 && textAt(content, 0, 5) === 'Adobe'
    ? bytesOfSegment(MARKER.APP14, content.subarray(0, 12))
    : undefined;

/** Only the orientation. */
const leastExif = (content: Uint8Array) => {
  if (textAt(content, 0, EXIF.length) !== EXIF) return undefined;
  const orientation = orientationOf(content.subarray(EXIF.length));
  if (orientation === UPRIGHT) return [];
  const name = Array.from(EXIF, (letter) => letter.charCodeAt(0));
  return bytesOfSegment(MARKER.APP1, [...name, ...orientationBlock(orientation)]);
};

/** What to keep of the content of an application segment, possibly nothing; undefined for an unknown kind. */
const LEAST = new Map<number, (content: Uint8Array) => readonly number[] | undefined>([
  [MARKER.APP0, leastJfif],
  [MARKER.APP1, leastExif],
  [MARKER.APP14, leastAdobe],
]);

/** Encoders write about a dozen. For each scan, however short, a decoder processes the whole image again. */
const SCANS_MOST = 100;

/** Parts that accepted images do not need: comments, application data, conditions of arithmetic coding, line counts. */
const isNeedless = (marker: number) =>
  (marker >= MARKER.APP0 && marker <= MARKER.APP15) ||
  marker === MARKER.COM ||
  marker === MARKER.DAC ||
  marker === MARKER.DNL;

export const isJpeg = (bytes: Uint8Array): boolean => textAt(bytes, 0, 3) === '\xff\xd8\xff';

/**
 * Keeps frame, tables and scans as they are and, before the first scan, one minimal segment each of JFIF, EXIF
 * and Adobe (ITU-T T.81, annex B). Only the sequential and progressive Huffman processes that browsers show are
 * accepted. Data behind the end, such as the second image of MPF, is left out.
 */
export const cleanJpeg: CleanImageFile = (bytes, limits) => {
  const out = makeOutput(bytes);
  out.keep(0, 2);
  const addedMarkers = new Set<number>();
  let frame: JpegFrame | undefined;
  let scans = 0;
  const countPart = makePartCounter();
  for (let at = 2; ; ) {
    countPart();
    const segment = segmentAt(bytes, at);
    const { marker } = segment;
    at = segment.end;
    switch (marker) {
      case MARKER.SOF0:
      case MARKER.SOF1:
      case MARKER.SOF2:
        if (frame !== undefined) throw imageBroken('it has two headers');
        checkSize(readFrameSize(bytes, segment), limits);
        frame = readFrame(bytes, segment);
        break;
      case MARKER.DQT:
        checkQuantization(bytes, segment);
        break;
      case MARKER.DHT:
        checkHuffman(bytes, segment);
        break;
      case MARKER.DRI:
        if (segment.end !== segment.data + 2) throw wrongLength();
        break;
      case MARKER.SOS:
        if (frame === undefined) throw imageBroken('it does not start with its header');
        checkScan(bytes, segment, frame);
        scans += 1;
        if (scans > SCANS_MOST) throw imageTooLarge(`at most ${SCANS_MOST} scans`);
        at = endOfScan(bytes, at);
        break;
      case MARKER.EOI:
        if (frame === undefined || scans === 0) throw imageBroken('it has no pixels');
        out.keep(segment.at, at);
        return { width: frame.width, height: frame.height, bytes: out.bytes() };
      default: {
        if (!isNeedless(marker)) throw imageBroken('it has an unknown part');
        const content = bytes.subarray(segment.data, segment.end);
        const least = scans === 0 && !addedMarkers.has(marker) ? LEAST.get(marker)?.(content) : undefined;
        if (least !== undefined) {
          addedMarkers.add(marker);
          out.add(least);
        }
        // The segment itself is left out.
        continue;
      }
    }
    out.keep(segment.at, at);
  }
};
