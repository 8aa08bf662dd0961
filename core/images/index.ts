import { cleanGif, isGif } from './gif.ts';
import { type CleanedFile, type CleanImageFile, type ImageLimits, notAnImage } from './image-limits.ts';
import { cleanJpeg, isJpeg } from './jpeg.ts';
import { cleanPng, isPng } from './png.ts';
import { cleanWebp, isWebp } from './webp.ts';

export type { ImageLimits } from './image-limits.ts';

/** A complete image stripped of metadata and active content. */
export interface CleanImage extends CleanedFile {
  readonly type: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif';
  readonly extension: 'jpg' | 'png' | 'webp' | 'gif';
}

interface Format extends Pick<CleanImage, 'type' | 'extension'> {
  readonly is: (bytes: Uint8Array) => boolean;
  readonly clean: CleanImageFile;
}

const FORMATS: readonly Format[] = [
  { type: 'image/jpeg', extension: 'jpg', is: isJpeg, clean: cleanJpeg },
  { type: 'image/png', extension: 'png', is: isPng, clean: cleanPng },
  { type: 'image/webp', extension: 'webp', is: isWebp, clean: cleanWebp },
  { type: 'image/gif', extension: 'gif', is: isGif, clean: cleanGif },
];

/**
 * Detects the image format by the content alone, reads the file to its end and copies it without metadata: place, time,
 * camera, text, thumbnails, colour profiles and anything hidden behind the end. Pixels are neither decoded nor compressed
 * again; the orientation of a JPEG, PNG or WebP photo is kept. The time is proportional to the file's length; reading a result
 * again gives the same bytes.
 *
 * Throws `refused`: `not_an_image`, `image_too_large` (too long a side, too many pixels, frames, scans or parts), or
 * `image_broken` (structure, checksum or end).
 */
export const readImage = (bytes: Uint8Array, limits: ImageLimits): CleanImage => {
  const format = FORMATS.find(({ is }) => is(bytes));
  if (format === undefined) throw notAnImage();
  const { type, extension, clean } = format;
  return { type, extension, ...clean(bytes, limits) };
};
