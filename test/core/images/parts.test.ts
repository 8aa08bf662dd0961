import { expect } from 'chai';
import { join } from '../../support/images/bytes.ts';
import * as gif from '../../support/images/gif.ts';
import * as jpeg from '../../support/images/jpeg.ts';
import * as png from '../../support/images/png.ts';
import { cleaned, refusal } from '../../support/images/reading.ts';
import * as webp from '../../support/images/webp.ts';

const MOST = 10_000;
/** More than any of these files has beside the parts that are counted out. */
const OTHERS = 20;

const times = (count: number, part: Uint8Array) => join(...Array.from({ length: count }, () => part));

const webpFrame = (hidden: number) =>
  webp.webpFrame({ width: 16, height: 16 }, webp.lossyPicture, times(hidden, webp.webpChunk('HIDE')));

/** Files with so many empty parts. */
const files: Readonly<Record<string, (count: number) => Uint8Array>> = {
  'chunks of a PNG': (count) => png.makePng({ before: [times(count, png.pngChunk('prVt'))] }),
  'chunks of pixels of a PNG': (count) => png.makePng({ before: [times(count, png.pngChunk('IDAT'))] }),
  'chunks behind the pixels of a PNG': (count) =>
    png.makePng({ after: [times(count, png.pngChunk('prVt'))] }),
  'segments of a JPEG': (count) => jpeg.makeJpeg({ before: [times(count, jpeg.jpegSegment(0xfe))] }),
  'extensions of a GIF': (count) =>
    gif.makeGif({ blocks: [times(count, gif.gifComment('')), gif.gifFrame()] }),
  'chunks of a WebP': (count) =>
    webp.makeWebp(webp.webpHeader(0, 16, 16), times(count, webp.webpChunk('HIDE')), webp.lossyPicture),
  'chunks in the frames of a WebP': (count) =>
    webp.makeWebp(
      webp.webpHeader(webp.FLAG.animation, 16, 16),
      webp.webpAnimation,
      webpFrame(count / 2),
      webpFrame(count / 2),
    ),
};

describe('An image of very many parts', () => {
  for (const [title, make] of Object.entries(files)) {
    it(`is refused, since everybody would wait for it: ${title}`, () => {
      expect(refusal(make(MOST - OTHERS))).to.equal('taken');
      expect(refusal(make(MOST))).to.equal('image_too_large');
    });
  }

  it('may have 10,000 of them beside the first, and no more', () => {
    const withParts = (count: number) => png.makePng({ before: [times(count - 2, png.pngChunk('prVt'))] });
    expect(refusal(withParts(MOST))).to.equal('taken');
    expect(() => cleaned(withParts(MOST + 1))).to.throw('The image is too large: at most 10000 parts.');
  });
});
