import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** The end of `IHDR`: one bit a pixel, grey, then the standard compression, filtering and order of rows. */
const FORM = [1, 0, 0, 0, 0];
/** Pixels along a side of a module, a square of the code. `rowOf` relies on 4: two modules fill a byte. */
const SCALE = 4;
/** Modules around the symbol that stay white (ISO/IEC 18004). */
const MARGIN = 4;

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
};

/** A row of pixels, eight per byte, after a byte for its filter (none). A white pixel is 1. */
const rowOf = (modules: readonly boolean[]): Buffer => {
  const row = Buffer.alloc(1 + Math.ceil((modules.length * SCALE) / 8), 0xff);
  row[0] = 0;
  for (const [index, isDark] of modules.entries()) {
    if (!isDark) continue;
    const at = 1 + Math.floor(index / 2);
    // A dark module clears its half of the byte and keeps the half of its neighbour.
    const neighbour = index % 2 === 0 ? 0x0f : 0xf0;
    row[at] = (row[at] ?? 0) & neighbour;
  }
  return row;
};

/** A PNG of the modules, given row by row with their margin. */
const drawPng = (modules: readonly (readonly boolean[])[]): Buffer => {
  const side = uint32(modules.length * SCALE);
  const pixels = modules.flatMap((row) => Array<Buffer>(SCALE).fill(rowOf(row)));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', Buffer.concat([side, side, Buffer.from(FORM)])),
    chunk('IDAT', deflateSync(Buffer.concat(pixels))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

/** The text as a QR code, of which 15 % may be unreadable: a PNG. */
export const drawQrCode = async (text: string): Promise<Buffer> => {
  const { encode } = await import('uqr');
  return drawPng(encode(text, { ecc: 'M', border: MARGIN }).data);
};
