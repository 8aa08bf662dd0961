import { CoreError } from '../errors.ts';

/** How large an image may be, in pixels. The picture of each frame counts as well as the whole. */
export interface ImageLimits {
  readonly sideLongest: number;
  readonly pixelsMost: number;
}

/** Width and height in pixels, as stored: an orientation of the image does not swap them. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Cleaned extends Size {
  /** The file without metadata. It shares no memory with the one it was made of. */
  readonly bytes: Uint8Array;
}

/** Checks a file of one format to its end and leaves its metadata out; throws as `readImage` does. */
export type Clean = (bytes: Uint8Array, limits: ImageLimits) => Cleaned;

/** More frames than this are not decoration but work for whoever looks at them. */
const FRAMES_MOST = 1_000;

export const notAnImage = () =>
  new CoreError('refused', 'not_an_image', 'The file is not a JPEG, PNG, WebP or GIF image.');

/** `why` ends the sentence "The image is broken: …" */
export const imageBroken = (why: string) =>
  new CoreError('refused', 'image_broken', `The image is broken: ${why}.`);

export const imageTooLarge = (why: string) =>
  new CoreError('refused', 'image_too_large', `The image is too large: ${why}.`);

/** Throws `image_too_large` beyond the limits, `image_broken` for a picture without pixels. */
export const checkSize = ({ width, height }: Size, { sideLongest, pixelsMost }: ImageLimits): void => {
  if (width > sideLongest || height > sideLongest)
    throw imageTooLarge(`${width} x ${height} pixels, at most ${sideLongest} a side`);
  if (width * height > pixelsMost)
    throw imageTooLarge(`${width} x ${height} pixels, at most ${pixelsMost} in all`);
  if (width < 1 || height < 1) throw imageBroken('it has no pixels');
};

/** Throws `image_too_large` for the frame numbered `count` when it is one too many. */
export const checkFrameCount = (count: number): void => {
  if (count > FRAMES_MOST) throw imageTooLarge(`at most ${FRAMES_MOST} frames`);
};

/** Chunks, segments and extensions. An image of our largest size has some thousands when each of its rows is one. */
const PARTS_MOST = 10_000;

/**
 * Counts the parts of a file and throws `image_too_large` for one too many. A part of a few bytes costs far more time
 * than its length suggests, and other requests wait meanwhile.
 */
export const makePartCounter = (): (() => void) => {
  let count = 0;
  return () => {
    count += 1;
    if (count > PARTS_MOST) throw imageTooLarge(`at most ${PARTS_MOST} parts`);
  };
};
