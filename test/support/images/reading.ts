import { CoreError } from '../../../core/errors.ts';
import { type CleanImage, readImage } from '../../../core/images/index.ts';

/** The limits of the product. */
export const limits = { sideLongest: 4_096, pixelsMost: 16_000_000 };

/** The image, or the code of its refusal; throws any other error. */
export const readOrRefuse = (bytes: Uint8Array): CleanImage | string => {
  try {
    return readImage(bytes, limits);
  } catch (error) {
    if (error instanceof CoreError && error.kind === 'refused') return error.code;
    throw error;
  }
};

/** The code of the refusal, or `taken` for an accepted image. */
export const refusal = (bytes: Uint8Array): string => {
  const outcome = readOrRefuse(bytes);
  return typeof outcome === 'string' ? outcome : 'taken';
};

/** The cleaned file of an image that must be accepted. */
export const cleanImage = (bytes: Uint8Array): Uint8Array => readImage(bytes, limits).bytes;
