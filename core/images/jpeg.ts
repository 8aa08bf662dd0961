import { textAt } from './bytes.ts';
import { type Clean, checkSize, imageBroken, imageTooLarge, makePartCounter } from './image.ts';
import { leastOf } from './jpeg-application.ts';
import * as rules from './jpeg-rules.ts';
import { endOfScan, MARKER, segmentAt } from './jpeg-segments.ts';
import { makeOutput } from './output.ts';

/** Encoders make a dozen. Each takes the decoder over the whole image again, however short it is itself. */
const SCANS_MOST = 100;

/** Parts that no image we take needs: comments, application data, conditions of arithmetic coding, line counts. */
const isNeedless = (marker: number) =>
  (marker >= MARKER.APP0 && marker <= MARKER.APP15) ||
  marker === MARKER.COM ||
  marker === MARKER.DAC ||
  marker === MARKER.DNL;

export const isJpeg = (bytes: Uint8Array): boolean => textAt(bytes, 0, 3) === '\xff\xd8\xff';

/**
 * Keeps frame, tables and scans as they are and, before the first scan, one minimal segment each of JFIF, EXIF
 * and Adobe (ITU-T T.81, annex B). Only the sequential and progressive Huffman processes that browsers show are
 * taken. What follows the end, such as the second image of MPF, is left out.
 */
export const cleanJpeg: Clean = (bytes, limits) => {
  const out = makeOutput(bytes);
  out.keep(0, 2);
  const seen = new Set<number>();
  let frame: rules.JpegFrame | undefined;
  let scans = 0;
  const countPart = makePartCounter();
  for (let at = 2; ; ) {
    countPart();
    const segment = segmentAt(bytes, at);
    const { marker } = segment;
    at = segment.end;
    switch (marker) {
      case MARKER.SOF0:
      case MARKER.SOF1:
      case MARKER.SOF2:
        if (frame !== undefined) throw imageBroken('it has two headers');
        checkSize(rules.readFrameSize(bytes, segment), limits);
        frame = rules.readFrame(bytes, segment);
        break;
      case MARKER.DQT:
        rules.checkQuantization(bytes, segment);
        break;
      case MARKER.DHT:
        rules.checkHuffman(bytes, segment);
        break;
      case MARKER.DRI:
        rules.checkRestartInterval(segment);
        break;
      case MARKER.SOS:
        if (frame === undefined) throw imageBroken('it does not start with its header');
        rules.checkScan(bytes, segment, frame);
        scans += 1;
        if (scans > SCANS_MOST) throw imageTooLarge(`at most ${SCANS_MOST} scans`);
        at = endOfScan(bytes, at);
        break;
      case MARKER.EOI:
        if (frame === undefined || scans === 0) throw imageBroken('it has no pixels');
        out.keep(segment.at, at);
        return { width: frame.width, height: frame.height, bytes: out.bytes() };
      default: {
        if (!isNeedless(marker)) throw imageBroken('it has an unknown part');
        const least = scans === 0 && !seen.has(marker) ? leastOf(bytes, segment) : undefined;
        if (least === undefined) continue;
        seen.add(marker);
        out.add(least);
        continue;
      }
    }
    out.keep(segment.at, at);
  }
};
