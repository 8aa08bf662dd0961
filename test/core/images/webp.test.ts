import { expect } from 'chai';
import { readImage } from '../../../core/images/index.ts';
import { includesText, join } from '../../support/images/bytes.ts';
import { cameraExif, PLACE } from '../../support/images/exif.ts';
import { cleanImage, limits, refusal } from '../../support/images/reading.ts';
import * as webp from '../../support/images/webp.ts';

const { alpha, FLAG, losslessPicture, lossyPicture, makeWebp, webpAnimation, webpChunk, webpFrame } = webp;
const header = (flags: number, width = 16, height = 16) => webp.webpHeader(flags, width, height);
const still = (...more: Uint8Array[]) => makeWebp(header(0), lossyPicture, ...more);
const animated = (...more: Uint8Array[]) => makeWebp(header(FLAG.animation), webpAnimation, ...more);
const frame = webpFrame({ width: 16, height: 16 }, lossyPicture);
const exifOf = (orientation: number) =>
  webpChunk('EXIF', 'MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0', orientation, '\0\0\0\0\0\0');

const REMOVED: Readonly<Record<string, Uint8Array>> = {
  XMP: webpChunk('XMP ', '<x:xmpmeta/>'),
  'a colour profile': webpChunk('ICCP', 'hello'),
  'an unknown chunk': webpChunk('HIDE', 'hello'),
  'EXIF of an upright image': webpChunk('EXIF', cameraExif(1)),
  'empty EXIF': webpChunk('EXIF'),
};

/** A lossy picture with one byte of its pixel data changed. */
const lossyWith = (at: number, value: number) => makeWebp(lossyPicture.with(8 + at, value));

const BROKEN: Readonly<Record<string, Uint8Array>> = {
  'nothing in it': makeWebp(),
  'half a chunk header': makeWebp(join('VP8 ')),
  'a first chunk that is not a picture': makeWebp(webpChunk('HIDE', 'hello'), lossyPicture),
  'a header alone': makeWebp(header(0)),
  'fewer bytes than announced': still().subarray(0, -2),
  'a chunk longer than the file': still(join('HIDE', '\xff\xff\xff\xff')),
  'a chunk of odd length without padding': makeWebp(header(0), lossyPicture, join('HIDE\x01\0\0\0a')),
  'a header of 12 bytes': makeWebp(webpChunk('VP8X', header(0).subarray(8), 0, 0), lossyPicture),
  'two headers': makeWebp(header(0), header(0), lossyPicture),
  'a header after the picture': makeWebp(lossyPicture, header(0)),
  'two pictures': still(losslessPicture(16, 16)),
  'a picture after the only one': makeWebp(lossyPicture, lossyPicture),
  'a picture smaller than its canvas': makeWebp(header(0), losslessPicture(15, 16)),
  'a picture larger than its canvas': makeWebp(header(0), losslessPicture(16, 17)),
  'a lossy picture of another size than its canvas': makeWebp(header(0, 17, 16), lossyPicture),
  'lossy pixels that are not a key frame': lossyWith(0, 0xb1),
  'lossy pixels that are not shown': lossyWith(0, 0xa0),
  'lossy pixels of an unknown version': lossyWith(0, 0xb8),
  'lossy pixels without their start code': lossyWith(3, 0),
  'a first part longer than all pixels': lossyWith(2, 1),
  'a lossy picture of nine bytes': makeWebp(webpChunk('VP8 ', lossyPicture.subarray(8, 17))),
  'a lossy picture whose first part is cut off': makeWebp(webpChunk('VP8 ', lossyPicture.subarray(8, 30))),
  'a lossy picture without width': lossyWith(6, 0),
  'a lossless picture of four bytes': makeWebp(
    webpChunk('VP8L', losslessPicture(1, 1).subarray(8, 12)),
    webpChunk('\0IDE'),
  ),
  'a lossless picture without its signature': makeWebp(losslessPicture(16, 16).with(8, 0)),
  'a lossless picture of a later version': makeWebp(losslessPicture(16, 16).with(12, 0x20)),
  'transparency for lossless pixels': makeWebp(header(FLAG.alpha), alpha(256), losslessPicture(16, 16)),
  'transparency twice': makeWebp(header(FLAG.alpha), alpha(256), alpha(256), lossyPicture),
  'transparency alone': makeWebp(header(FLAG.alpha), alpha(256)),
  'an animation without frames': animated(),
  'a frame before the animation': makeWebp(header(FLAG.animation), frame, webpAnimation),
  'a frame in a still image': still(frame),
  'a still picture in an animation': animated(frame, lossyPicture),
  'two animations': animated(webpAnimation, frame),
  'an animation of eight bytes': makeWebp(
    header(FLAG.animation),
    webpChunk('ANIM', '\0\0\0\0\0\0\0\0'),
    frame,
  ),
  'a frame of eight bytes': animated(webpChunk('ANMF', '\0\0\0\0\0\0\0\0')),
  'a frame without a picture': animated(webpFrame({ width: 16, height: 16 })),
  'a frame of another size than its picture': animated(webpFrame({ width: 15, height: 16 }, lossyPicture)),
  'a frame beside its canvas': animated(webpFrame({ left: 2, width: 16, height: 16 }, lossyPicture)),
  'a frame below its canvas': animated(webpFrame({ top: 2, width: 16, height: 16 }, lossyPicture)),
  'two pictures in a frame': animated(webpFrame({ width: 16, height: 16 }, lossyPicture, lossyPicture)),
  'a chunk that leaves its frame': animated(
    webpFrame({ width: 16, height: 16 }, lossyPicture, join('HIDE\x10\0\0\0')),
    webpChunk('HIDE', '0123456789'),
  ),
};

const DEFECTS: Readonly<Record<string, string>> = {
  'a first chunk that is not a picture': 'it does not start with its header',
  'a header alone': 'it has no pixels',
  'fewer bytes than announced': 'it is cut off',
  'a chunk longer than the file': 'it is cut off',
  'a header of 12 bytes': 'its header has the wrong length',
  'two headers': 'a part is in the wrong place',
  'two pictures': 'it has too many pictures',
  'a picture smaller than its canvas': 'its pixels do not have the announced size',
  'lossy pixels that are not a key frame': 'its pixels have no header',
  'a first part longer than all pixels': 'it is cut off',
  'a lossless picture of four bytes': 'it is cut off',
  'a lossless picture without its signature': 'its pixels have no header',
  'a frame without a picture': 'a frame has no pixels',
  'a frame beside its canvas': 'a frame exceeds its bounds',
};

describe('The WebP reader', () => {
  for (const [title, chunk] of Object.entries(REMOVED)) {
    it(`removes ${title} and its flag`, () => {
      const flags = FLAG.xmp | FLAG.exif | FLAG.profile | 0xc1;
      expect(cleanImage(makeWebp(header(flags), chunk, lossyPicture, chunk))).to.deep.equal(still());
    });
  }

  for (const orientation of [2, 3, 4, 5, 6, 7, 8]) {
    it(`keeps only orientation ${orientation} of EXIF`, () => {
      const expected = makeWebp(header(FLAG.exif), lossyPicture, exifOf(orientation));
      for (const exif of [cameraExif(orientation), join('Exif\0\0', cameraExif(orientation, 'II'))]) {
        const image = makeWebp(header(FLAG.exif), lossyPicture, webpChunk('EXIF', exif));
        expect(includesText(image, PLACE)).to.equal(true);
        expect(cleanImage(image)).to.deep.equal(expected);
      }
    });
  }

  it('removes everything after the end', () => {
    expect(cleanImage(join(still(), 'PK\x03\x04'))).to.deep.equal(still());
    expect(cleanImage(join(still(), still()))).to.deep.equal(still());
  });

  it('uses only the first EXIF chunk', () => {
    const exif = (orientation: number) => webpChunk('EXIF', cameraExif(orientation));
    expect(cleanImage(still(exif(1), exif(6)))).to.deep.equal(still());
    const image = makeWebp(header(FLAG.exif), lossyPicture, exifOf(3));
    expect(cleanImage(still(exif(3), exif(6)))).to.deep.equal(image);
  });

  it('keeps only the picture of a file without a header chunk', () => {
    const exif = webpChunk('EXIF', cameraExif(6));
    expect(cleanImage(makeWebp(lossyPicture, exif, ...Object.values(REMOVED)))).to.deep.equal(
      makeWebp(lossyPicture),
    );
  });

  it('keeps pixels and transparency byte by byte', () => {
    const image = makeWebp(header(FLAG.alpha), alpha(256), lossyPicture);
    expect(cleanImage(image)).to.deep.equal(image);
    expect(cleanImage(makeWebp(losslessPicture(300, 7)))).to.deep.equal(makeWebp(losslessPicture(300, 7)));
  });

  it('accepts pixels that end with their header or first part, in each version', () => {
    expect(refusal(makeWebp(webpChunk('VP8 ', lossyPicture.subarray(8, 31))))).to.equal('taken');
    expect(refusal(makeWebp(webpChunk('VP8L', losslessPicture(1, 1).subarray(8, 13))))).to.equal('taken');
    for (const tag of [0xb0, 0xb2, 0xb4, 0xb6]) expect(refusal(lossyWith(0, tag))).to.equal('taken');
  });

  it('keeps the frames of an animation without hidden chunks', () => {
    const position = { left: 4, top: 4, width: 16, height: 16 };
    const parts = [alpha(256), lossyPicture];
    const hidden = webpChunk('HIDE', 'hello');
    const file = (...frames: Uint8Array[]) =>
      makeWebp(header(FLAG.animation | FLAG.alpha, 20, 20), webpAnimation, ...frames);
    const image = file(frame, webpFrame(position, hidden, ...parts, hidden), hidden);
    expect(cleanImage(image)).to.deep.equal(file(frame, webpFrame(position, ...parts)));
  });

  it('updates the file length if the picture is large', () => {
    const picture = webpChunk('VP8L', losslessPicture(16, 16).subarray(8), new Uint8Array(100_000));
    expect(cleanImage(makeWebp(header(FLAG.xmp), picture, webpChunk('XMP ', 'hello')))).to.deep.equal(
      makeWebp(header(0), picture),
    );
  });

  it('removes the animation chunk of a still image', () => {
    expect(cleanImage(makeWebp(header(0), webpAnimation, lossyPicture))).to.deep.equal(still());
  });

  it('pads odd lengths with a zero byte only', () => {
    const oddAlpha = alpha(256);
    expect(oddAlpha.length, 'a method byte, the pixels and a byte of padding').to.equal(8 + 257 + 1);
    const file = (part: Uint8Array) => makeWebp(header(FLAG.alpha), part, lossyPicture);
    expect(cleanImage(file(oddAlpha.with(-1, 0x50)))).to.deep.equal(file(oddAlpha));
  });

  for (const [title, bytes] of Object.entries(BROKEN)) {
    it(`refuses a broken image with ${title}`, () => {
      expect(refusal(bytes)).to.equal('image_broken');
    });
  }

  it('names the defect of a broken image', () => {
    for (const [title, reason] of Object.entries(DEFECTS))
      expect(() => cleanImage(BROKEN[title] ?? join('')), title).to.throw(`The image is broken: ${reason}.`);
  });

  it('accepts at most 4,096 pixels a side and 16,000,000 in total', () => {
    const { width, height } = readImage(makeWebp(losslessPicture(4_096, 3_906)), limits);
    expect([width, height]).to.deep.equal([4_096, 3_906]);
    for (const [wide, high] of [
      [4_096, 3_907],
      [4_097, 1],
      [1, 4_097],
      [16_384, 16_384],
    ] as const) {
      const picture = losslessPicture(wide, high);
      expect(refusal(makeWebp(picture))).to.equal('image_too_large');
      expect(refusal(makeWebp(header(0, wide, high), picture))).to.equal('image_too_large');
      expect(refusal(animated(webpFrame({ width: wide, height: high }, picture)))).to.equal(
        'image_too_large',
      );
    }
    expect(refusal(makeWebp(header(0, 2 ** 24, 2 ** 24)))).to.equal('image_too_large');
    expect(refusal(lossyWith(7, 0x3f))).to.equal('image_too_large');
  });

  it('accepts at most a thousand frames', () => {
    const frames = (count: number) => animated(...Array<Uint8Array>(count).fill(frame));
    expect(refusal(frames(1_000))).to.equal('taken');
    expect(refusal(frames(1_001))).to.equal('image_too_large');
  });
});
