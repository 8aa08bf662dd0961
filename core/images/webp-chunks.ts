import { nameAt, uint32Little } from './bytes.ts';
import { imageBroken } from './image.ts';
import type { Output } from './output.ts';

export interface WebpChunk {
  readonly type: string;
  readonly at: number;
  /** Where its content starts, and where that ends. */
  readonly data: number;
  readonly dataEnd: number;
  /** Where the next chunk starts: lengths are made even. */
  readonly end: number;
}

/** The chunk at a position inside a file or chunk that ends at `limit` (RFC 9649, section 2.3). */
export const chunkAt = (bytes: Uint8Array, at: number, limit: number): WebpChunk => {
  const data = at + 8;
  const length = uint32Little(bytes, at + 4);
  const dataEnd = data + length;
  const end = dataEnd + (length % 2);
  if (end > limit) throw imageBroken('it is cut off');
  return { type: nameAt(bytes, at), at, data, dataEnd, end };
};

/** Copies a chunk; what pads it becomes the zero that it should be. */
export const keepChunk = (out: Output, { at, dataEnd, end }: WebpChunk): void => {
  out.keep(at, dataEnd);
  if (end > dataEnd) out.add([0]);
};
