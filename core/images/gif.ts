import { byteAt, textAt, uint16Little } from './bytes.ts';
import { APPLICATION_HEADER, endOfColours, endOfFrame, endOfSubBlocks, findLooping } from './gif-blocks.ts';
import { type Clean, checkFrameCount, checkSize, imageBroken, makePartCounter } from './image.ts';
import { makeOutput } from './output.ts';

const EXTENSION = 0x21;
const FRAME = 0x2c;
const TRAILER = 0x3b;

const PLAIN_TEXT = 0x01;
const CONTROL = 0xf9;
const APPLICATION = 0xff;

export const isGif = (bytes: Uint8Array): boolean => ['GIF87a', 'GIF89a'].includes(textAt(bytes, 0, 6));

/**
 * Keeps the screen, the frames with how they follow each other, and how often they play: no comment, text,
 * other extension or anything after the trailer (GIF89a specification).
 */
export const cleanGif: Clean = (bytes, limits) => {
  const screen = { width: uint16Little(bytes, 6), height: uint16Little(bytes, 8) };
  checkSize(screen, limits);
  const out = makeOutput(bytes);
  let at = endOfColours(byteAt(bytes, 10), 13);
  out.keep(0, at);

  let frames = 0;
  /** The graphic control that waits for its frame. */
  let control: readonly [start: number, end: number] | undefined;
  const countPart = makePartCounter();
  for (;;) {
    countPart();
    const start = at;
    switch (byteAt(bytes, start)) {
      case TRAILER:
        if (frames === 0) throw imageBroken('it has no pixels');
        out.keep(start, start + 1);
        return { ...screen, bytes: out.bytes() };
      case FRAME:
        frames += 1;
        checkFrameCount(frames);
        at = endOfFrame(bytes, start, screen, limits);
        if (control !== undefined) out.keep(...control);
        control = undefined;
        out.keep(start, at);
        break;
      case EXTENSION:
        at = endOfSubBlocks(bytes, start + 2);
        switch (byteAt(bytes, start + 1)) {
          case CONTROL:
            if (at !== start + 8 || byteAt(bytes, start + 2) !== 4)
              throw imageBroken('a frame has no proper control');
            control = [start, at];
            break;
          case PLAIN_TEXT:
            control = undefined;
            break;
          case APPLICATION: {
            const looping = findLooping(bytes, start);
            if (looping === undefined) break;
            out.keep(start, start + APPLICATION_HEADER);
            out.keep(looping, looping + 4);
            out.add([0]);
          }
        }
        break;
      default:
        throw imageBroken('something stands between its parts');
    }
  }
};
