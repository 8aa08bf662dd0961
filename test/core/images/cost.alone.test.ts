import { expect } from 'chai';
import { join } from '../../support/images/bytes.ts';
import { cameraExif } from '../../support/images/exif.ts';
import * as gif from '../../support/images/gif.ts';
import * as jpeg from '../../support/images/jpeg.ts';
import * as png from '../../support/images/png.ts';
import { cleanImage, readOrRefuse } from '../../support/images/reading.ts';
import * as webp from '../../support/images/webp.ts';

const MAX_BYTES = 2 * 1024 * 1024;
const MAX_MEMORY_BYTES = 64 * 1024 * 1024;

/** Repeats a part as often as it fits into a share of the largest upload. */
const fill = (part: Uint8Array, share = 1) => {
  const count = Math.floor((share * (MAX_BYTES - 2_000)) / part.length);
  const bytes = new Uint8Array(count * part.length);
  for (let index = 0; index < count; index += 1) bytes.set(part, index * part.length);
  return bytes;
};

/** Files up to the largest size that mostly consist of a part that is slow to read. */
const slowest: Readonly<Record<string, (share: number) => Uint8Array>> = {
  'empty chunks in a PNG': (share) => png.makePng({ before: [fill(png.pngChunk('prVt'), share)] }),
  'empty pixels in a PNG': (share) => png.makePng({ before: [fill(png.pngChunk('IDAT'), share)] }),
  'one chunk in a PNG': (share) => png.makePng({ before: [png.pngChunk('prVt', fill(join(1), share))] }),
  'filling bytes in a JPEG': (share) => jpeg.makeJpeg({ before: [fill(join(0xff), share)] }),
  'comments in a JPEG': (share) => jpeg.makeJpeg({ before: [fill(jpeg.jpegSegment(0xfe), share)] }),
  'EXIF in a JPEG': (share) =>
    jpeg.makeJpeg({
      before: [fill(jpeg.exifSegment(join('MM\0*\0\0\0\x08\xff\xff', new Uint8Array(65_000))), share)],
    }),
  'full bytes in the pixels of a JPEG': (share) =>
    join(jpeg.makeJpeg().subarray(0, -2), fill(join(0xff, 0), share), jpeg.EOI),
  'restarts in a JPEG': (share) =>
    join(jpeg.makeJpeg().subarray(0, -2), fill(join(0xff, 0xd0), share), jpeg.EOI),
  'codes in a JPEG': (share) => jpeg.makeJpeg({ before: [fill(jpeg.jpegCodes, share)] }),
  'empty chunks in a WebP': (share) =>
    webp.makeWebp(webp.webpHeader(0, 16, 16), fill(webp.webpChunk('HIDE'), share), webp.lossyPicture),
  'EXIF in a WebP': (share) =>
    webp.makeWebp(
      webp.webpHeader(0, 16, 16),
      fill(webp.webpChunk('EXIF', cameraExif(1)), share),
      webp.lossyPicture,
    ),
  'empty chunks in a frame of a WebP': (share) =>
    webp.makeWebp(
      webp.webpHeader(webp.FLAG.animation, 16, 16),
      webp.webpAnimation,
      webp.webpFrame({ width: 16, height: 16 }, webp.lossyPicture, fill(webp.webpChunk('HIDE'), share)),
    ),
  'comments in a GIF': (share) => gif.makeGif({ blocks: [fill(gif.gifComment(''), share), gif.gifFrame()] }),
  'loops in a GIF': (share) => gif.makeGif({ blocks: [fill(gif.gifLoop, share), gif.gifFrame()] }),
  'short sub-blocks in a GIF': (share) =>
    gif.makeGif({ blocks: [join(gif.gifFrame().subarray(0, -1), fill(join(1, 0), share), 0)] }),
};

/** The CPU time, which other load affects least in the fastest of five runs. */
const millisecondsOf = (read: () => unknown) => {
  const runs = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    read();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...runs);
};

/** The measure of a read: a plain loop over the bytes, which no reader needs to exceed. */
const copyBytes = (bytes: Uint8Array): Uint8Array => {
  const copy = new Uint8Array(bytes.length);
  let sum = 0;
  for (const [index, byte] of bytes.entries()) {
    sum = (sum + byte) & 0xff;
    copy[index] = sum;
  }
  return copy;
};

describe('The image reader with the largest upload', () => {
  for (const [title, make] of Object.entries(slowest)) {
    it(`takes little time, in proportion to the length: ${title}`, () => {
      const quarter = make(0.25);
      const image = make(1);
      expect(image.length).to.be.within(MAX_BYTES * 0.9, MAX_BYTES);
      const short = millisecondsOf(() => readOrRefuse(quarter));
      const long = millisecondsOf(() => readOrRefuse(image));
      expect(long).to.be.lessThan(millisecondsOf(() => copyBytes(image)));
      // Four times the bytes may take four times as long; sixteen times as long would mean a nested loop.
      expect(long).to.be.lessThan(8 * short + 40);
    });
  }

  it('frees its memory after each read', async () => {
    const image = png.makePng({ before: [png.pngChunk('tEXt', 'a\0b')], width: 5, height: 3 });
    const large = join(image.subarray(0, -12), png.pngChunk('prVt', fill(join(1))), png.pngChunk('IEND'));
    expect(cleanImage(large)).to.deep.equal(png.makePng());
    const before = process.memoryUsage().arrayBuffers;
    let maxBytes = 0;
    for (let round = 0; round < 200; round += 1) {
      cleanImage(large);
      maxBytes = Math.max(maxBytes, process.memoryUsage().arrayBuffers - before);
      await new Promise(setImmediate);
    }
    expect(maxBytes).to.be.lessThan(MAX_MEMORY_BYTES);
  });
});
