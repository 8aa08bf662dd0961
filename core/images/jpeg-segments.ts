import { byteAt, uint16 } from './bytes.ts';
import { imageBroken } from './image.ts';

/** The second byte of a marker, after 0xff (ITU-T T.81, table B.1). */
export const MARKER = {
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
  /** Where its content starts, behind marker and length. */
  readonly data: number;
  readonly end: number;
}

/** The segment at a position. The end of the image is one without content. */
export const segmentAt = (bytes: Uint8Array, from: number): Segment => {
  if (byteAt(bytes, from) !== 0xff) throw imageBroken('something stands between its parts');
  let at = from;
  while (byteAt(bytes, at + 1) === 0xff) at += 1;
  const marker = byteAt(bytes, at + 1);
  const data = at + 4;
  if (marker === MARKER.EOI) return { marker, at, data: at + 2, end: at + 2 };
  const end = at + 2 + uint16(bytes, at + 2);
  if (end < data || end > bytes.length) throw imageBroken('it is cut off');
  return { marker, at, data, end };
};

/** Where the packed pixels that start here end: at the next marker that is no restart (T.81, B.1.1.5). */
export const endOfScan = (bytes: Uint8Array, start: number): number => {
  for (let at = start; at + 1 < bytes.length; at += 1) {
    if (bytes[at] !== 0xff) continue;
    const next = byteAt(bytes, at + 1);
    if (next === 0 || (next >= MARKER.RST0 && next <= MARKER.RST7)) at += 1;
    else if (next !== 0xff) return at;
  }
  throw imageBroken('it is cut off');
};
