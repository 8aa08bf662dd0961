import { expect } from 'chai';
import { readImage } from '../../../core/images/index.ts';
import { big16, includesText, join, type Part } from '../../support/images/bytes.ts';
import { cameraExif, PLACE } from '../../support/images/exif.ts';
import * as jpeg from '../../support/images/jpeg.ts';
import { cleanImage, limits, refusal } from '../../support/images/reading.ts';

const { EOI, jpegSegment: segment, makeJpeg, SOI } = jpeg;
const file = (...parts: readonly Part[]) => join(SOI, ...parts, EOI);
const tables = join(jpeg.jpegSteps, jpeg.jpegCodes);
const scan = join(segment(0xda, 3, '\x01\0\x02\0\x03\0', 0, 63, 0), '\x12\x34');
/** A scan for a frame with one component. */
const greyScan = (
  ...numbers: readonly [component: number, tables: number, first: number, last: number, bits: number]
) => join(segment(0xda, 1, ...numbers), '\x12');
const grey = greyScan(1, 0, 0, 63, 0);
/** A frame of components, each with name, sampling factors and quantisation table. */
const frameOf = (count: number, ...numbers: readonly number[]) =>
  join(tables, segment(0xc0, 8, big16(1), big16(1), count, ...numbers));
const progressive = (...band: readonly [first: number, last: number, bits: number]) =>
  file(tables, jpeg.jpegFrame({ components: 1, progressive: true }), greyScan(1, 0, ...band));
const sized = (width: number, height: number) => file(tables, jpeg.jpegFrame({ width, height }), scan);

/** The EXIF segment that the product writes: only the orientation. */
const exifOf = (orientation: number) =>
  segment(0xe1, 'Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0', orientation, '\0\0\0\0\0\0');

const REMOVED: Readonly<Record<string, Uint8Array>> = {
  'a comment': segment(0xfe, 'hello'),
  XMP: segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>'),
  'a colour profile': segment(0xe2, 'ICC_PROFILE\0', 1, 1, 'hello'),
  'the list of further images': segment(0xe2, 'MPF\0hello'),
  IPTC: segment(0xed, 'Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\x05hello'),
  'a JFIF extension with a thumbnail': segment(0xe0, 'JFXX\0\x10', makeJpeg()),
  'a short JFIF segment': segment(0xe0, 'JFIF\0'),
  'an unknown segment': segment(0xef, 'hello'),
  'conditions of arithmetic coding': segment(0xcc, 0, 0),
  'EXIF of an upright image': jpeg.exifSegment(cameraExif(1)),
  'EXIF with an orientation that does not exist': jpeg.exifSegment(cameraExif(9)),
  'EXIF with an orientation of 0': jpeg.exifSegment(cameraExif(0)),
  'EXIF that is cut off': jpeg.exifSegment(cameraExif(6).subarray(0, 30)),
  'EXIF whose directory is after its end': jpeg.exifSegment(join('MM\0*\xff\xff\xff\xff', cameraExif(6))),
  'EXIF whose directory is its header': jpeg.exifSegment(
    join('MM\0*\0\0\0\x06\x01\x12\0\x03\0\0\0\x01\0\x06\0\0'),
  ),
  'EXIF in no byte order': jpeg.exifSegment(join('XX', cameraExif(6).subarray(2))),
  'EXIF that is no TIFF': jpeg.exifSegment(cameraExif(6).with(3, 43)),
  'EXIF whose directory starts with its last byte': jpeg.exifSegment(join('MM\0*\0\0\0\x09\0\x01')),
  'EXIF of five bytes': jpeg.exifSegment(join('MM\0*\0')),
  'an orientation of another type': jpeg.exifSegment(cameraExif(6).with(8 + 2 + 12 + 3, 4)),
  'two orientations': jpeg.exifSegment(cameraExif(6).with(8 + 2 + 12 + 7, 2)),
  'an orientation after its directory': jpeg.exifSegment(cameraExif(6).with(9, 1)),
  'a short Adobe segment': segment(0xee, 'Adobe'),
  'another segment with the number of Adobe': segment(0xee, 'hello, world'),
  'a long segment in the place of JFIF': segment(0xe0, 'hello, world, hello'),
  'empty EXIF': jpeg.exifSegment(join('')),
};

const BROKEN: Readonly<Record<string, Uint8Array>> = {
  'no content': file(),
  'no pixels': file(tables, jpeg.jpegFrame()),
  'no header': file(tables, scan),
  'two headers': file(tables, jpeg.jpegFrame(), jpeg.jpegFrame(), scan),
  'no end': makeJpeg().subarray(0, -2),
  'half an end': makeJpeg().subarray(0, -1),
  'a second start': file(SOI, tables, jpeg.jpegFrame(), scan),
  'a restart outside the pixels': file('\xff\xd0', tables, jpeg.jpegFrame(), scan),
  'bytes between its segments': file(tables, 'hello', jpeg.jpegFrame(), scan),
  'a segment that does not start as one': file(tables, 'h\xfe\0\x02', jpeg.jpegFrame(), scan),
  'a segment longer than the file': file('\xff\xfe\xff\xff', tables, jpeg.jpegFrame(), scan),
  'a segment shorter than its length': file('\xff\xfe\0\x01', tables, jpeg.jpegFrame(), scan),
  'an unknown segment': file(segment(0xf0, 'hello'), tables, jpeg.jpegFrame(), scan),
  'a segment of a reserved number': file(segment(0xc8, 'hello'), tables, jpeg.jpegFrame(), scan),
  'no width': sized(0, 1),
  'no height': sized(1, 0),
  'samples of 12 bits': file(tables, jpeg.jpegFrame().with(4, 12), scan),
  'five components': file(tables, jpeg.jpegFrame({ components: 5 }), scan),
  'no components': file(tables, jpeg.jpegFrame({ components: 0 }), scan),
  'fewer components than announced': file(frameOf(3, 1, 0x11, 0), grey),
  'more components than announced': file(frameOf(1, 1, 0x11, 0, 2, 0x11, 0), grey),
  'two components of one name': file(frameOf(2, 1, 0x11, 0, 1, 0x11, 0), grey),
  'a sampling factor of 0 across': file(frameOf(1, 1, 0x01, 0), grey),
  'a sampling factor of 0 down': file(frameOf(1, 1, 0x10, 0), grey),
  'a sampling factor of 5': file(frameOf(1, 1, 0x15, 0), grey),
  'quantisation table 4 for a component': file(frameOf(1, 1, 0x11, 4), grey),
  'a scan of no components': file(frameOf(1, 1, 0x11, 0), segment(0xda, 0, 0, 63, 0), '\x12'),
  'a scan of more components than the frame has': file(
    frameOf(1, 1, 0x11, 0),
    segment(0xda, 2, '\x01\0\x01\0', 0, 63, 0),
  ),
  'a scan of an unknown component': file(frameOf(1, 1, 0x11, 0), greyScan(2, 0, 0, 63, 0)),
  'a scan with Huffman table 4 for first coefficients': file(
    frameOf(1, 1, 0x11, 0),
    greyScan(1, 0x40, 0, 63, 0),
  ),
  'a scan with Huffman table 4 for the others': file(frameOf(1, 1, 0x11, 0), greyScan(1, 0x04, 0, 63, 0)),
  'a scan header of the wrong length': file(frameOf(1, 1, 0x11, 0), segment(0xda, 1, '\x01\0', 0, 63)),
  'a progressive scan over everything': progressive(0, 63, 0),
  'a progressive scan that runs backwards': progressive(5, 4, 0),
  'a progressive scan beyond the last coefficient': progressive(1, 64, 0),
  'a progressive scan of the 15th bit': progressive(0, 0, 14),
  'a progressive scan after the 15th bit': progressive(0, 0, 0xe0),
  'a progressive scan of several components beyond the first coefficient': file(
    tables,
    jpeg.jpegFrame({ progressive: true }),
    segment(0xda, 3, '\x01\0\x02\0\x03\0', 1, 63, 0),
    '\x12',
  ),
  'a truncated quantisation table': file(segment(0xdb, 0, new Uint8Array(63)), jpeg.jpegFrame(), scan),
  'quantisation table 4': file(segment(0xdb, 4, new Uint8Array(64)), tables, jpeg.jpegFrame(), scan),
  'Huffman table 4': file(segment(0xc4, 4, new Uint8Array(16)), tables, jpeg.jpegFrame(), scan),
  'Huffman table 4 between its scans': file(
    tables,
    jpeg.jpegFrame(),
    scan,
    segment(0xc4, 4, new Uint8Array(16)),
    scan,
  ),
  'a Huffman table of class 2': file(segment(0xc4, 0x20, new Uint8Array(16)), tables, jpeg.jpegFrame(), scan),
  'quantisation of unknown precision': file(segment(0xdb, 0x20, new Uint8Array(192)), jpeg.jpegFrame(), scan),
  'a truncated Huffman table': file(segment(0xc4, 0, '\x02'.padEnd(16, '\0'), 1), jpeg.jpegFrame(), scan),
  'more than 256 Huffman codes': file(
    segment(0xc4, 0, 255, 2, new Uint8Array(14), new Uint8Array(257)),
    tables,
    jpeg.jpegFrame(),
    scan,
  ),
  'a restart interval of three bytes': file(segment(0xdd, 0, 0, 1), tables, jpeg.jpegFrame(), scan),
};

const DEFECTS: Readonly<Record<string, string>> = {
  'no pixels': 'it has no pixels',
  'no header': 'it does not start with its header',
  'two headers': 'it has two headers',
  'no end': 'it is cut off',
  'bytes between its segments': 'it has data between its parts',
  'a segment shorter than its length': 'it is cut off',
  'an unknown segment': 'it has an unknown part',
  'samples of 12 bits': 'a value is out of its range',
  'fewer components than announced': 'a part has the wrong length',
  'two components of one name': 'two of its components have the same name',
};

describe('The JPEG reader', () => {
  for (const [title, part] of Object.entries(REMOVED)) {
    it(`removes ${title}`, () => {
      expect(cleanImage(makeJpeg({ before: [part] }))).to.deep.equal(makeJpeg());
    });
  }

  for (const orientation of [2, 3, 4, 5, 6, 7, 8]) {
    it(`keeps only orientation ${orientation} of EXIF, in either byte order`, () => {
      for (const order of ['II', 'MM'] as const) {
        const image = makeJpeg({ before: [jpeg.exifSegment(cameraExif(orientation, order))] });
        expect(includesText(image, PLACE)).to.equal(true);
        expect(cleanImage(image)).to.deep.equal(makeJpeg({ before: [exifOf(orientation)] }));
      }
    });
  }

  it('keeps the orientation of an EXIF block without its last four bytes', () => {
    const shortest = exifOf(6).subarray(4, -4);
    expect(cleanImage(makeJpeg({ before: [segment(0xe1, shortest)] }))).to.deep.equal(
      makeJpeg({ before: [exifOf(6)] }),
    );
  });

  it('uses only the first EXIF block', () => {
    const readBoth = (...orientations: number[]) =>
      cleanImage(
        makeJpeg({ before: orientations.map((orientation) => jpeg.exifSegment(cameraExif(orientation))) }),
      );
    expect(readBoth(3, 6)).to.deep.equal(makeJpeg({ before: [exifOf(3)] }));
    expect(readBoth(1, 6)).to.deep.equal(makeJpeg());
    const afterXmp = makeJpeg({ before: [segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0'), exifOf(6)] });
    expect(cleanImage(afterXmp)).to.deep.equal(makeJpeg({ before: [exifOf(6)] }));
  });

  it('keeps JFIF without its thumbnail, and the Adobe colour transform without further bytes', () => {
    const thumbnail = segment(0xe0, 'JFIF\0', 1, 2, 1, big16(72), big16(72), 1, 1, '\xff\0\0');
    const longAdobe = join(jpeg.adobe.with(3, 19), 'hello');
    expect(cleanImage(makeJpeg({ before: [thumbnail, longAdobe] }))).to.deep.equal(
      makeJpeg({ before: [jpeg.jfif, jpeg.adobe] }),
    );
  });

  it('keeps frame, tables and scans byte by byte', () => {
    for (const shape of [
      { width: 30, height: 50, restarts: true },
      { width: 30, height: 50, progressive: true },
      { width: 8, height: 8, components: 1 },
    ]) {
      const image = makeJpeg({ ...shape, before: Object.values(REMOVED), trailing: 'hello' });
      expect(cleanImage(image)).to.deep.equal(join(SOI, jpeg.jpegImage(shape), EOI));
    }
  });

  it('keeps all bytes of pixels, including stuffed bytes and restarts', () => {
    for (const pixels of [
      '\xff\0',
      '\x12\xff\0\xff\0',
      '\x12\xff\xd0\xff\0',
      '\x12\xff\xd7',
      '\x12\xff\xff\xd0\x34',
    ]) {
      const image = file(sized(1, 1).subarray(2, -2), pixels);
      expect(cleanImage(image)).to.deep.equal(image);
    }
  });

  it('removes metadata between scans', () => {
    const exif = jpeg.exifSegment(cameraExif(6));
    const lineCount = segment(0xdc, big16(1));
    const frame = join(tables, jpeg.jpegFrame());
    expect(cleanImage(file(frame, scan, lineCount, exif, jpeg.adobe, scan))).to.deep.equal(
      file(frame, scan, scan),
    );
  });

  it('removes fill bytes before a segment', () => {
    expect(cleanImage(file('\xff\xff\xff', tables, jpeg.jpegFrame(), scan))).to.deep.equal(sized(1, 1));
  });

  it('removes everything after the end', () => {
    expect(cleanImage(makeJpeg({ trailing: makeJpeg() }))).to.deep.equal(makeJpeg());
    expect(cleanImage(makeJpeg({ trailing: 'PK\x03\x04' }))).to.deep.equal(makeJpeg());
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

  for (const marker of [0xc3, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]) {
    it(`refuses process 0x${marker.toString(16)}, which browsers do not show, as broken`, () => {
      expect(refusal(file(tables, jpeg.jpegFrame().with(1, marker), scan))).to.equal('image_broken');
    });
  }

  it('accepts every valid value of a frame and its scans', () => {
    const accepts = (bytes: Uint8Array) => expect(refusal(bytes)).to.equal('taken');
    accepts(file(frameOf(1, 1, 0x44, 3), grey));
    accepts(file(frameOf(4, 1, 0x11, 0, 2, 0x14, 0, 3, 0x41, 0, 4, 0x11, 0), greyScan(4, 0x33, 0, 63, 0)));
    accepts(file(tables, jpeg.jpegFrame().with(1, 0xc1), scan));
    accepts(progressive(0, 0, 0xdd));
    accepts(progressive(1, 1, 0));
    accepts(progressive(63, 63, 0));
    accepts(
      file(segment(0xdb, 0x13, new Uint8Array(128), 3, new Uint8Array(64)), frameOf(1, 1, 0x11, 0), grey),
    );
    const largestTable = segment(0xc4, 0x13, 240, new Uint8Array(14), 16, new Uint8Array(256));
    accepts(file(largestTable, frameOf(1, 1, 0x11, 0), grey));
  });

  it('accepts at most 4,096 pixels a side and 16,000,000 in total', () => {
    const { width, height } = readImage(sized(4_096, 3_906), limits);
    expect([width, height]).to.deep.equal([4_096, 3_906]);
    expect(refusal(sized(4_096, 3_907))).to.equal('image_too_large');
    expect(refusal(sized(1, 4_097))).to.equal('image_too_large');
    expect(refusal(sized(65_535, 65_535).subarray(0, -10))).to.equal('image_too_large');
  });

  it('accepts at most a hundred scans', () => {
    const scans = (count: number) => file(tables, jpeg.jpegFrame(), ...Array<Uint8Array>(count).fill(scan));
    expect(refusal(scans(100))).to.equal('taken');
    expect(refusal(scans(101))).to.equal('image_too_large');
    expect(() => cleanImage(scans(101))).to.throw('The image is too large: at most 100 scans.');
  });
});
