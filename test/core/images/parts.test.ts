import { expect } from 'chai';
import { join } from '../../support/images/bytes.ts';
import * as gif from '../../support/images/gif.ts';
import * as jpeg from '../../support/images/jpeg.ts';
import * as png from '../../support/images/png.ts';
import { cleanImage, refusal } from '../../support/images/reading.ts';
import * as webp from '../../support/images/webp.ts';

const MAX_PARTS = 10_000;
/** More parts than any of these files has beside the repeated parts. */
const OTHER_PARTS = 20;

const repeat = (count: number, part: Uint8Array) => join(...Array.from({ length: count }, () => part));

const webpFrame = (hidden: number) =>
  webp.webpFrame({ width: 16, height: 16 }, webp.lossyPicture, repeat(hidden, webp.webpChunk('HIDE')));

/** Files with `count` empty parts. */
const files: Readonly<Record<string, (count: number) => Uint8Array>> = {
  'chunks of a PNG': (count) => png.makePng({ before: [repeat(count, png.pngChunk('prVt'))] }),
  'chunks of pixels of a PNG': (count) => png.makePng({ before: [repeat(count, png.pngChunk('IDAT'))] }),
  'chunks after the pixels of a PNG': (count) =>
    png.makePng({ after: [repeat(count, png.pngChunk('prVt'))] }),
  'segments of a JPEG': (count) => jpeg.makeJpeg({ before: [repeat(count, jpeg.jpegSegment(0xfe))] }),
  'extensions of a GIF': (count) =>
    gif.makeGif({ blocks: [repeat(count, gif.gifComment('')), gif.gifFrame()] }),
  'chunks of a WebP': (count) =>
    webp.makeWebp(webp.webpHeader(0, 16, 16), repeat(count, webp.webpChunk('HIDE')), webp.lossyPicture),
  'chunks in the frames of a WebP': (count) =>
    webp.makeWebp(
      webp.webpHeader(webp.FLAG.animation, 16, 16),
      webp.webpAnimation,
      webpFrame(count / 2),
      webpFrame(count / 2),
    ),
};

describe('An image with very many parts', () => {
  for (const [title, make] of Object.entries(files)) {
    it(`is refused, because its read would block other requests: ${title}`, () => {
      expect(refusal(make(MAX_PARTS - OTHER_PARTS))).to.equal('taken');
      expect(refusal(make(MAX_PARTS))).to.equal('image_too_large');
    });
  }

  it('has at most 10,000 parts after the first', () => {
    const withParts = (count: number) => png.makePng({ before: [repeat(count - 2, png.pngChunk('prVt'))] });
    expect(refusal(withParts(MAX_PARTS))).to.equal('taken');
    expect(() => cleanImage(withParts(MAX_PARTS + 1))).to.throw(
      'The image is too large: at most 10000 parts.',
    );
  });
});
