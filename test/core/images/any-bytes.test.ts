import { expect } from 'chai';
import fc from 'fast-check';
import { join, type Part } from '../../support/images/bytes.ts';
import { cameraExif } from '../../support/images/exif.ts';
import * as gif from '../../support/images/gif.ts';
import * as jpeg from '../../support/images/jpeg.ts';
import * as png from '../../support/images/png.ts';
import { readOrRefuse } from '../../support/images/reading.ts';
import { imagesWithMetadata, plainImages } from '../../support/images/samples.ts';
import * as webp from '../../support/images/webp.ts';

const CODES = ['not_an_image', 'image_too_large', 'image_broken'];
const runs = { numRuns: process.env.LONG ? 20_000 : 500 };

/** Each file is refused with one of three codes, or read to an image that stays unchanged. Counts accepted files. */
const countAccepted = (files: fc.Arbitrary<Uint8Array>) => {
  let accepted = 0;
  fc.assert(
    fc.property(files, (bytes) => {
      const before = bytes.slice();
      const outcome = readOrRefuse(bytes);
      expect(bytes, 'the upload').to.deep.equal(before);
      if (typeof outcome === 'string') {
        expect(outcome).to.be.oneOf(CODES);
        return;
      }
      accepted += 1;
      expect(outcome.bytes.length).to.be.at.most(bytes.length + 4);
      expect(readOrRefuse(outcome.bytes)).to.deep.equal(outcome);
    }),
    runs,
  );
  return accepted;
};

const samples = fc.constantFrom(...Object.values({ ...plainImages, ...imagesWithMetadata }));
const position = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const bytes = fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0, 1, 4, 127, 128, 0xd9, 254, 255));

const withChangedBytes = fc
  .tuple(samples, fc.array(fc.tuple(position, bytes), { minLength: 1, maxLength: 4 }))
  .map(([image, changes]) => {
    const copy = image.slice();
    for (const [at, value] of changes) copy[Math.floor(at * copy.length)] = value;
    return copy;
  });

const withMovedParts = fc
  .tuple(samples, position, position, fc.uint8Array({ maxLength: 12 }))
  .map(([image, cut, resume, between]) =>
    join(
      image.subarray(0, Math.floor(cut * image.length)),
      between,
      image.subarray(Math.floor(resume * image.length)),
    ),
  );

/** Files with complete parts in any order, each part any number of times. */
const inAnyOrder = (parts: readonly Part[], make: (...chosen: Part[]) => Uint8Array) =>
  fc.array(fc.constantFrom(...parts), { maxLength: 7 }).map((chosen) => make(...chosen));

const tiff = fc
  .tuple(fc.constantFrom('II', 'MM'), fc.integer({ min: 0, max: 8 }), position, bytes)
  .map(([order, orientation, at, value]) => {
    const block = cameraExif(orientation, order === 'II' ? 'II' : 'MM');
    return block.with(Math.floor(at * block.length), value);
  });

const pngParts = [
  png.pngHeader(),
  png.pngHeader({ colourType: 3 }),
  png.pngPalette,
  png.pngChunk('tRNS', '\0\0'),
  png.pngChunk('gAMA', '\0\0\0\x01'),
  png.pngChunk('tEXt', 'a\0b'),
  png.pngChunk('eXIf', cameraExif(6)),
  png.pngChunk('IDAT', png.pngPixels()),
  png.pngChunk('IEND'),
];

const jpegParts = [
  jpeg.jfif,
  jpeg.adobe,
  jpeg.exifSegment(cameraExif(6)),
  jpeg.jpegSegment(0xfe, 'hello'),
  jpeg.jpegFrame(),
  jpeg.jpegCodes,
  jpeg.jpegImage(),
  '\xff',
  jpeg.EOI,
];

const webpParts = [
  webp.webpHeader(0, 16, 16),
  webp.webpHeader(webp.FLAG.animation, 16, 16),
  webp.webpAnimation,
  webp.webpFrame({ width: 16, height: 16 }, webp.lossyPicture),
  webp.alpha(3),
  webp.lossyPicture,
  webp.webpChunk('EXIF', cameraExif(5)),
  webp.webpChunk('HIDE', 'hello'),
];

const gifParts = [
  gif.gifLoop,
  gif.gifControl,
  gif.gifFrame(),
  gif.gifComment('hello'),
  gif.gifText('hello'),
  gif.gifApplication('XMP DataXMP', 'hello'),
  ';',
];

describe('The image reader with arbitrary bytes', () => {
  it('returns an image or one of three refusals for an image with changed bytes', () => {
    expect(countAccepted(withChangedBytes)).to.be.greaterThan(0);
  });

  it('does the same for parts that are cut out, doubled or inserted', () => {
    countAccepted(withMovedParts);
  });

  it('does the same for any bytes after a signature', () => {
    const signatures = fc.constantFrom(png.PNG_SIGNATURE, '\xff\xd8\xff', 'GIF89a', 'RIFF\x20\0\0\0WEBPVP8X');
    countAccepted(
      fc.tuple(signatures, fc.uint8Array({ maxLength: 60 })).map(([start, rest]) => join(start, rest)),
    );
  });

  it('does the same for the chunks of a PNG in any order', () => {
    const files = inAnyOrder(pngParts.slice(1), (...chosen) =>
      join(png.PNG_SIGNATURE, png.pngHeader(), ...chosen, png.pngChunk('IEND')),
    );
    expect(countAccepted(files)).to.be.greaterThan(0);
  });

  it('does the same for the segments of a JPEG in any order', () => {
    const files = inAnyOrder(jpegParts, (...chosen) => join(jpeg.SOI, ...chosen, jpeg.EOI));
    expect(countAccepted(files)).to.be.greaterThan(0);
  });

  it('does the same for the chunks of a WebP in any order', () => {
    const files = inAnyOrder(webpParts, (...chosen) => webp.makeWebp(...chosen.map((part) => join(part))));
    expect(countAccepted(files)).to.be.greaterThan(0);
  });

  it('does the same for the blocks of a GIF in any order', () => {
    const files = inAnyOrder(gifParts, (...chosen) =>
      gif.makeGif({ blocks: chosen.map((part) => join(part)) }),
    );
    expect(countAccepted(files)).to.be.greaterThan(0);
  });

  it('accepts an image with any EXIF block', () => {
    const jpegs = tiff.map((block) => jpeg.makeJpeg({ before: [jpeg.exifSegment(block)] }));
    expect(countAccepted(jpegs)).to.be.at.least(runs.numRuns);
    const webps = tiff.map((block) =>
      webp.makeWebp(webp.webpHeader(8, 16, 16), webp.lossyPicture, webp.webpChunk('EXIF', block)),
    );
    expect(countAccepted(webps)).to.be.at.least(runs.numRuns);
  });
});
