import { textAt, uint16, uint16Little, uint32, uint32Little } from './read-bytes.ts';

/** The orientation of an image whose first row is its top and whose first column is its left. */
export const UPRIGHT = 1;

const ORIENTATION = 0x0112;
const SHORT = 3;
const HEADER_LENGTH = 8;
/** Bytes of an entry: a tag (2 bytes), a type (2), a number of values (4) and a value (4). */
const ENTRY_LENGTH = 12;

/**
 * The orientation of an image, 1-8 (Exif 3.0, section 4.6.5.1; TIFF 6.0): `UPRIGHT` if the block has none or is
 * broken, since broken metadata does not break an image.
 */
export const orientationOf = (tiff: Uint8Array): number => {
  const order = textAt(tiff, 0, 2);
  if ((order !== 'II' && order !== 'MM') || tiff.length < HEADER_LENGTH) return UPRIGHT;
  const short = order === 'II' ? uint16Little : uint16;
  const long = order === 'II' ? uint32Little : uint32;
  const directory = long(tiff, 4);
  if (short(tiff, 2) !== 42 || directory < HEADER_LENGTH || directory + 2 > tiff.length) return UPRIGHT;

  const entries = directory + 2;
  const fittingEntries = Math.floor((tiff.length - entries) / ENTRY_LENGTH);
  const end = entries + ENTRY_LENGTH * Math.min(short(tiff, directory), fittingEntries);
  for (let entry = entries; entry < end; entry += ENTRY_LENGTH) {
    if (short(tiff, entry) !== ORIENTATION) continue;
    const value = short(tiff, entry + 8);
    const isValid =
      short(tiff, entry + 2) === SHORT && long(tiff, entry + 4) === 1 && value >= 1 && value <= 8;
    return isValid ? value : UPRIGHT;
  }
  return UPRIGHT;
};

/** The TIFF header of big-endian data: its last bytes are the position of the directory, right behind the header. */
const HEADER = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8];

const bigEndian16 = (value: number): readonly number[] => [value >> 8, value & 0xff];

/** The shortest block with an orientation: a TIFF header and a directory of one entry, without a next directory. */
export const orientationBlock = (orientation: number): readonly number[] => {
  const entry = [...bigEndian16(ORIENTATION), ...bigEndian16(SHORT), 0, 0, 0, 1, 0, orientation, 0, 0];
  return [...HEADER, ...bigEndian16(1), ...entry, 0, 0, 0, 0];
};
