import { byteAt, uint16 } from './bytes.ts';
import { imageBroken, type Size } from './image.ts';
import { MARKER, type Segment } from './jpeg-segments.ts';

export interface JpegFrame extends Size {
  readonly isProgressive: boolean;
  readonly components: ReadonlySet<number>;
}

const wrongLength = () => imageBroken('a part has the wrong length');
const outOfRange = () => imageBroken('a value is out of its range');

export const readFrameSize = (bytes: Uint8Array, { data }: Segment): Size => ({
  width: uint16(bytes, data + 3),
  height: uint16(bytes, data + 1),
});

/** A frame header of 8 bits a sample and one to four components (T.81, B.2.2). */
export const readFrame = (bytes: Uint8Array, segment: Segment): JpegFrame => {
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
  if (components.size < count) throw imageBroken('two of its components have one name');
  return { ...readFrameSize(bytes, segment), isProgressive: segment.marker === MARKER.SOF2, components };
};

/** A scan header (T.81, B.2.3, G.1.1.1): its components are the frame's, and a progressive one has a proper band. */
export const checkScan = (bytes: Uint8Array, { data, end }: Segment, frame: JpegFrame): void => {
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
  const bits = byteAt(bytes, band + 2);
  const isBand = first === 0 ? last === 0 : first <= last && last <= 63 && count === 1;
  if (frame.isProgressive && (!isBand || bits >> 4 > 13 || (bits & 15) > 13)) throw outOfRange();
};

/** T.81, B.2.4.1. */
export const checkQuantization = (bytes: Uint8Array, { data, end }: Segment): void => {
  let at = data;
  while (at < end) {
    const precision = byteAt(bytes, at) >> 4;
    if (precision > 1 || (byteAt(bytes, at) & 15) > 3) throw outOfRange();
    at += 1 + 64 * (precision + 1);
  }
  if (at > end) throw wrongLength();
};

/** T.81, B.2.4.2. */
export const checkHuffman = (bytes: Uint8Array, { data, end }: Segment): void => {
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

/** T.81, B.2.4.4. */
export const checkRestartInterval = ({ data, end }: Segment): void => {
  if (end !== data + 2) throw wrongLength();
};
