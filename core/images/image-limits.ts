import { CoreError } from '../errors.ts';

/** The maximum size of an image and of each frame, in pixels. */
export interface ImageLimits {
  readonly sideLongest: number;
  readonly pixelsMost: number;
}

/** Width and height in pixels, as stored: an orientation of the image does not swap them. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface CleanedFile extends Size {
  /** The file without metadata. It shares no memory with the original. */
  readonly bytes: Uint8Array;
}

/** Checks a file of one format to its end and copies it without metadata; throws `image_too_large` or `image_broken`. */
export type CleanImageFile = (bytes: Uint8Array, limits: ImageLimits) => CleanedFile;

/** More frames would cost viewers too much time. */
const FRAMES_MOST = 1_000;

export const notAnImage = () =>
  new CoreError('refused', 'not_an_image', 'The file is not a JPEG, PNG, WebP or GIF image.');

/** `why` ends the sentence "The image is broken: …" */
export const imageBroken = (why: string) =>
  new CoreError('refused', 'image_broken', `The image is broken: ${why}.`);

export const imageTooLarge = (why: string) =>
  new CoreError('refused', 'image_too_large', `The image is too large: ${why}.`);

/** Throws `image_too_large` beyond the limits, `image_broken` for an image without pixels. */
export const checkSize = ({ width, height }: Size, { sideLongest, pixelsMost }: ImageLimits): void => {
  if (width > sideLongest || height > sideLongest)
    throw imageTooLarge(`${width} x ${height} pixels, at most ${sideLongest} a side`);
  if (width * height > pixelsMost)
    throw imageTooLarge(`${width} x ${height} pixels, at most ${pixelsMost} in all`);
  if (width < 1 || height < 1) throw imageBroken('it has no pixels');
};

export const checkFrameCount = (count: number): void => {
  if (count > FRAMES_MOST) throw imageTooLarge(`at most ${FRAMES_MOST} frames`);
};

/** Parts are chunks, segments and extensions. The largest image with one part for each row has some thousands. */
const MAX_PARTS = 10_000;

/**
 * Counts the parts of a file and throws `image_too_large` for too many. A part of a few bytes costs far more time than
 * its length suggests, and other requests wait meanwhile.
 */
export const makePartCounter = (): (() => void) => {
  let count = 0;
  return () => {
    count += 1;
    if (count > MAX_PARTS) throw imageTooLarge(`at most ${MAX_PARTS} parts`);
  };
};
