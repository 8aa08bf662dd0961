import { textAt } from './bytes.ts';
import { orientationBlock, orientationOf, UPRIGHT } from './exif.ts';
import { MARKER, type Segment } from './jpeg-segments.ts';

const EXIF = 'Exif\0\0';

/** A segment of our own; none has more than 253 bytes of content. */
const segment = (marker: number, content: ArrayLike<number>): readonly number[] => [
  ...[0xff, marker, 0, content.length + 2],
  ...Array.from(content),
];

/** Version and density without the thumbnail (JFIF 1.02). */
const leastJfif = (content: Uint8Array) =>
  content.length >= 14 && textAt(content, 0, 5) === 'JFIF\0'
    ? segment(MARKER.APP0, [...content.subarray(0, 12), 0, 0])
    : undefined;

/** Which colour transform the pixels went through; without it some images come out in false colours. */
const leastAdobe = (content: Uint8Array) =>
  content.length >= 12 && textAt(content, 0, 5) === 'Adobe'
    ? segment(MARKER.APP14, content.subarray(0, 12))
    : undefined;

/** The orientation alone. */
const leastExif = (content: Uint8Array) => {
  if (textAt(content, 0, EXIF.length) !== EXIF) return undefined;
  const orientation = orientationOf(content.subarray(EXIF.length));
  if (orientation === UPRIGHT) return [];
  const name = Array.from(EXIF, (letter) => letter.charCodeAt(0));
  return segment(MARKER.APP1, [...name, ...orientationBlock(orientation)]);
};

const LEAST = new Map<number, (content: Uint8Array) => readonly number[] | undefined>([
  [MARKER.APP0, leastJfif],
  [MARKER.APP1, leastExif],
  [MARKER.APP14, leastAdobe],
]);

/** What must be left of an application segment, perhaps no bytes; undefined when it is of no kind we know. */
export const leastOf = (bytes: Uint8Array, { marker, data, end }: Segment): readonly number[] | undefined =>
  LEAST.get(marker)?.(bytes.subarray(data, end));
