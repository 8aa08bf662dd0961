import { littleEndian, uint24Little } from './bytes.ts';
import { checkSize, type ImageLimits, imageBroken, type Size } from './image.ts';
import type { Output } from './output.ts';
import { chunkAt, type WebpChunk } from './webp-chunks.ts';
import { makePicture } from './webp-picture.ts';

const HEADER_LENGTH = 16;

/** Keeps one frame of an animation, inside the canvas, without chunks that are no part of its picture (ANMF). */
export const keepFrame = (
  bytes: Uint8Array,
  out: Output,
  chunk: WebpChunk,
  canvas: Size,
  limits: ImageLimits,
  countPart: () => void,
): void => {
  const { data, dataEnd } = chunk;
  const content = data + HEADER_LENGTH;
  const left = 2 * uint24Little(bytes, data);
  const top = 2 * uint24Little(bytes, data + 3);
  const width = 1 + uint24Little(bytes, data + 6);
  const height = 1 + uint24Little(bytes, data + 9);
  checkSize({ width, height }, limits);
  if (left + width > canvas.width || top + height > canvas.height)
    throw imageBroken('a frame stands out of it');

  const start = out.length();
  out.keep(chunk.at, content);
  const picture = makePicture(bytes, out, { width, height });
  for (let at = content; at < dataEnd; ) {
    countPart();
    const part = chunkAt(bytes, at, dataEnd);
    picture.take(part);
    at = part.end;
  }
  if (!picture.isWhole()) throw imageBroken('a frame has no pixels');
  out.patch(start + 4, littleEndian(out.length() - start - 8));
};
