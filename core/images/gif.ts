import {
  type CleanImageFile,
  checkFrameCount,
  checkSize,
  type ImageLimits,
  imageBroken,
  makePartCounter,
  type Size,
} from './image-limits.ts';
import { byteAt, textAt, uint16Little } from './read-bytes.ts';
import { makeOutput } from './write-bytes.ts';

/** The end of the colour table at `start`; `start` itself if the flags announce none (GIF89a, sections 18 and 20). */
const endOfColours = (flags: number, start: number): number =>
  flags & 0x80 ? start + 3 * 2 ** ((flags & 7) + 1) : start;

/** The end of a series of sub-blocks, including its terminator (section 15). */
const endOfSubBlocks = (bytes: Uint8Array, start: number): number => {
  for (let at = start; ; ) {
    const length = byteAt(bytes, at);
    at += 1 + length;
    if (length === 0) return at;
  }
};

/** The end of a frame: its descriptor, colours and compressed pixels (sections 20 to 22). */
const endOfFrame = (bytes: Uint8Array, at: number, screen: Size, limits: ImageLimits): number => {
  const left = uint16Little(bytes, at + 1);
  const top = uint16Little(bytes, at + 3);
  const size = { width: uint16Little(bytes, at + 5), height: uint16Little(bytes, at + 7) };
  checkSize(size, limits);
  if (left + size.width > screen.width || top + size.height > screen.height)
    throw imageBroken('a frame exceeds its bounds');
  const pixels = endOfColours(byteAt(bytes, at + 9), at + 10);
  const codeSize = byteAt(bytes, pixels);
  if (codeSize < 2 || codeSize > 8) throw imageBroken('its compression is unknown');
  if (byteAt(bytes, pixels + 1) === 0) throw imageBroken('a frame has no pixels');
  return endOfSubBlocks(bytes, pixels + 1);
};

const LOOP_EXTENSIONS = ['NETSCAPE2.0', 'ANIMEXTS1.0'];

/** Length of an application extension up to its own sub-blocks (section 26). */
const APPLICATION_HEADER = 14;

/**
 * The position of the sub-block that says how often the animation plays, in the application extension at `at`; undefined if
 * it has none. Browsers know two names of such extensions, neither of which is in the specification.
 */
const findLoopCount = (bytes: Uint8Array, at: number): number | undefined => {
  if (byteAt(bytes, at + 2) !== 11 || !LOOP_EXTENSIONS.includes(textAt(bytes, at + 3, 11))) return undefined;
  let block = at + APPLICATION_HEADER;
  for (let length = byteAt(bytes, block); length > 0; length = byteAt(bytes, block)) {
    if (length === 3 && byteAt(bytes, block + 1) === 1) return block;
    block += 1 + length;
  }
  return undefined;
};

/** A length byte (3), an id (1), and the number of repetitions in two bytes. */
const LOOP_COUNT_LENGTH = 4;

const EXTENSION = 0x21;
const FRAME = 0x2c;
const TRAILER = 0x3b;

const PLAIN_TEXT = 0x01;
const CONTROL = 0xf9;
const APPLICATION = 0xff;

export const isGif = (bytes: Uint8Array): boolean => ['GIF87a', 'GIF89a'].includes(textAt(bytes, 0, 6));

/**
 * Keeps the screen, the frames with their timing, and the repeat count. Leaves out comments, text, other extensions, and
 * everything after the trailer (GIF89a specification).
 */
export const cleanGif: CleanImageFile = (bytes, limits) => {
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
            // The control was for this text, which is left out.
            control = undefined;
            break;
          case APPLICATION: {
            const loopCount = findLoopCount(bytes, start);
            if (loopCount === undefined) break;
            out.keep(start, start + APPLICATION_HEADER);
            out.keep(loopCount, loopCount + LOOP_COUNT_LENGTH);
            // The terminator: other sub-blocks are left out.
            out.add([0]);
          }
        }
        break;
      default:
        throw imageBroken('it has data between its parts');
    }
  }
};
