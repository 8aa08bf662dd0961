import { expect } from 'chai';
import { readImage } from '../../../../core/accounts/images/index.ts';
import { big16, holds, join, type Part } from '../../../support/images/bytes.ts';
import { cameraExif, PLACE } from '../../../support/images/exif.ts';
import * as jpeg from '../../../support/images/jpeg.ts';
import { cleaned, limits, refusal } from '../../../support/images/reading.ts';

const { EOI, jpegSegment: segment, makeJpeg, SOI } = jpeg;
const file = (...parts: readonly Part[]) => join(SOI, ...parts, EOI);
const tables = join(jpeg.jpegSteps, jpeg.jpegCodes);
const scan = join(segment(0xda, 3, '\x01\0\x02\0\x03\0', 0, 63, 0), '\x12\x34');
const sized = (width: number, height: number) => file(tables, jpeg.jpegFrame({ width, height }), scan);

/** The orientation and nothing else, as we write it. */
const turned = (orientation: number) =>
  segment(0xe1, 'Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0', orientation, '\0\0\0\0\0\0');

const dropped: Readonly<Record<string, Uint8Array>> = {
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
  'EXIF that is cut off': jpeg.exifSegment(cameraExif(6).subarray(0, 30)),
  'EXIF whose directory is behind its end': jpeg.exifSegment(join('MM\0*\xff\xff\xff\xff', cameraExif(6))),
  'EXIF whose directory is its header': jpeg.exifSegment(
    join('MM\0*\0\0\0\x06\x01\x12\0\x03\0\0\0\x01\0\x06\0\0'),
  ),
  'empty EXIF': jpeg.exifSegment(join('')),
};

const broken: Readonly<Record<string, Uint8Array>> = {
  'no content': file(),
  'no pixels': file(tables, jpeg.jpegFrame()),
  'no header': file(tables, scan),
  'two headers': file(tables, jpeg.jpegFrame(), jpeg.jpegFrame(), scan),
  'no end': makeJpeg().subarray(0, -2),
  'half an end': makeJpeg().subarray(0, -1),
  'a second start': file(SOI, tables, jpeg.jpegFrame(), scan),
  'a restart outside the pixels': file('\xff\xd0', tables, jpeg.jpegFrame(), scan),
  'bytes between its segments': file(tables, 'hello', jpeg.jpegFrame(), scan),
  'a segment longer than the file': file('\xff\xfe\xff\xff', tables, jpeg.jpegFrame(), scan),
  'a segment shorter than its length': file('\xff\xfe\0\x01', tables, jpeg.jpegFrame(), scan),
  'a segment that nobody knows': file(segment(0xf0, 'hello'), tables, jpeg.jpegFrame(), scan),
  'no width': sized(0, 1),
  'no height': sized(1, 0),
  'samples of 12 bits': file(tables, segment(0xc1, 12, big16(1), big16(1), '\x01\x01\x11\0'), scan),
  'five components': file(tables, jpeg.jpegFrame({ components: 5 }), scan),
  'no components': file(tables, jpeg.jpegFrame({ components: 0 }), scan),
  'fewer components than it says': file(tables, segment(0xc0, 8, big16(1), big16(1), '\x03\x01\x11\0'), scan),
  'two components of one name': file(
    tables,
    segment(0xc0, 8, big16(1), big16(1), '\x02\x01\x11\0\x01\x11\0'),
    scan,
  ),
  'a sampling factor of 0': file(tables, segment(0xc0, 8, big16(1), big16(1), '\x01\x01\x01\0'), scan),
  'a scan of a component that is not there': file(tables, jpeg.jpegFrame({ components: 1 }), scan),
  'a scan header of the wrong length': file(tables, jpeg.jpegFrame(), segment(0xda, 1, '\x01\0', 0, 63)),
  'a progressive scan over everything': file(tables, jpeg.jpegFrame({ progressive: true }), scan),
  'steps that are cut off': file(segment(0xdb, 0, new Uint8Array(63)), jpeg.jpegFrame(), scan),
  'steps of no known precision': file(segment(0xdb, 0x20, new Uint8Array(192)), jpeg.jpegFrame(), scan),
  'codes that are cut off': file(segment(0xc4, 0, '\x02'.padEnd(16, '\0'), 1), jpeg.jpegFrame(), scan),
  'more than 256 codes': file(
    segment(0xc4, 0, new Uint8Array(16).fill(20), new Uint8Array(320)),
    jpeg.jpegFrame(),
    scan,
  ),
  'a restart interval of three bytes': file(segment(0xdd, 0, 0, 1), tables, jpeg.jpegFrame(), scan),
};

describe('Reading a JPEG', () => {
  for (const [what, part] of Object.entries(dropped)) {
    it(`leaves out ${what}`, () => {
      expect(cleaned(makeJpeg({ before: [part] }))).to.deep.equal(makeJpeg());
    });
  }

  for (const orientation of [2, 3, 4, 5, 6, 7, 8]) {
    it(`keeps orientation ${orientation}, and nothing else of EXIF, in either byte order`, () => {
      for (const order of ['II', 'MM'] as const) {
        const given = makeJpeg({ before: [jpeg.exifSegment(cameraExif(orientation, order))] });
        expect(holds(given, PLACE)).to.equal(true);
        expect(cleaned(given)).to.deep.equal(makeJpeg({ before: [turned(orientation)] }));
      }
    });
  }

  it('keeps the orientation of an EXIF block without its last four bytes', () => {
    const shortest = turned(6).subarray(4, -4);
    expect(cleaned(makeJpeg({ before: [segment(0xe1, shortest)] }))).to.deep.equal(
      makeJpeg({ before: [turned(6)] }),
    );
  });

  it('lets the first EXIF block decide', () => {
    const both = (...orientations: number[]) =>
      cleaned(makeJpeg({ before: orientations.map((one) => jpeg.exifSegment(cameraExif(one))) }));
    expect(both(3, 6)).to.deep.equal(makeJpeg({ before: [turned(3)] }));
    expect(both(1, 6)).to.deep.equal(makeJpeg());
  });

  it('keeps JFIF without its thumbnail, and the colour transform without what follows it', () => {
    const thumbnail = segment(0xe0, 'JFIF\0', 1, 2, 1, big16(72), big16(72), 1, 1, '\xff\0\0');
    const chatty = join(jpeg.adobe.with(3, 19), 'hello');
    expect(cleaned(makeJpeg({ before: [thumbnail, chatty] }))).to.deep.equal(
      makeJpeg({ before: [jpeg.jfif, jpeg.adobe] }),
    );
  });

  it('keeps frame, tables and scans byte by byte', () => {
    for (const shape of [
      { width: 30, height: 50, restarts: true },
      { width: 30, height: 50, progressive: true },
      { width: 8, height: 8, components: 1 },
    ]) {
      const given = makeJpeg({ ...shape, before: Object.values(dropped), trailing: 'hello' });
      expect(cleaned(given)).to.deep.equal(join(SOI, jpeg.jpegImage(shape), EOI));
    }
  });

  it('leaves out metadata between scans', () => {
    const exif = jpeg.exifSegment(cameraExif(6));
    const lineCount = segment(0xdc, big16(1));
    const frame = join(tables, jpeg.jpegFrame());
    expect(cleaned(file(frame, scan, lineCount, exif, jpeg.adobe, scan))).to.deep.equal(
      file(frame, scan, scan),
    );
  });

  it('leaves out bytes that fill the room before a segment', () => {
    expect(cleaned(file('\xff\xff\xff', tables, jpeg.jpegFrame(), scan))).to.deep.equal(sized(1, 1));
  });

  it('leaves out everything behind the end', () => {
    expect(cleaned(makeJpeg({ trailing: makeJpeg() }))).to.deep.equal(makeJpeg());
    expect(cleaned(makeJpeg({ trailing: 'PK\x03\x04' }))).to.deep.equal(makeJpeg());
  });

  for (const [what, bytes] of Object.entries(broken)) {
    it(`finds it broken with ${what}`, () => {
      expect(refusal(bytes)).to.equal('image_broken');
    });
  }

  for (const marker of [0xc3, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]) {
    it(`finds it broken in process 0x${marker.toString(16)}, which browsers do not show`, () => {
      expect(refusal(file(tables, jpeg.jpegFrame().with(1, marker), scan))).to.equal('image_broken');
    });
  }

  it('takes 4,096 pixels a side and 16,000,000 in all, and no more', () => {
    const { width, height } = readImage(sized(4_096, 3_906), limits);
    expect([width, height]).to.deep.equal([4_096, 3_906]);
    expect(refusal(sized(4_096, 3_907))).to.equal('image_too_large');
    expect(refusal(sized(1, 4_097))).to.equal('image_too_large');
    expect(refusal(sized(65_535, 65_535).subarray(0, -10))).to.equal('image_too_large');
  });

  it('takes a hundred scans, and no more', () => {
    const scans = (count: number) => file(tables, jpeg.jpegFrame(), ...Array<Uint8Array>(count).fill(scan));
    expect(refusal(scans(100))).to.equal('taken');
    expect(refusal(scans(101))).to.equal('image_too_large');
  });
});
