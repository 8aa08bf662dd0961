import { expect } from 'chai';
import { join } from '../../support/images/bytes.ts';
import { cameraExif } from '../../support/images/exif.ts';
import {
  makePng,
  PNG_SIGNATURE,
  type PngShape,
  pngChunk,
  pngHeader,
  pngPalette,
  pngPixels,
  readPngChunks,
} from '../../support/images/png.ts';
import { cleanImage, refusal } from '../../support/images/reading.ts';

const types = (bytes: Uint8Array) => readPngChunks(bytes).map(({ type }) => type);
const pixels = pngChunk('IDAT', pngPixels());
const end = pngChunk('IEND');
const file = (...chunks: Uint8Array[]) => join(PNG_SIGNATURE, ...chunks);
const sized = (width: number, height: number) => file(pngHeader({ width, height }), pixels, end);

const exifOf = (orientation: number) =>
  pngChunk('eXIf', join('MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0', orientation, '\0\0\0\0\0\0'));

const REMOVED: Readonly<Record<string, Uint8Array>> = {
  text: pngChunk('tEXt', 'Comment\0hello'),
  'compressed text': pngChunk('zTXt', 'Comment\0\0hello'),
  'text in any language': pngChunk('iTXt', 'Comment\0\0\0\0\0hello'),
  'the time': pngChunk('tIME', '\x07\xe9\x01\x02\x03\x04\x05'),
  'EXIF without an orientation': pngChunk('eXIf', 'MM\0*\0\0\0\x08\0\0'),
  'EXIF of an upright image': pngChunk('eXIf', cameraExif(1)),
  'a colour profile': pngChunk('iCCP', 'name\0\0hello'),
  'the start of an animation': pngChunk('acTL', '\0\0\0\x01\0\0\0\0'),
  'a frame of an animation': pngChunk('fdAT', join('\0\0\0\0', pngPixels())),
  'an unknown chunk': pngChunk('prVt', 'hello'),
  'a reserved chunk': pngChunk('abcd', 'hello'),
};

/** For each colour type its depths and the lengths of the chunks that depend on it; 0 if a chunk is not allowed. */
const COLOUR_TYPES = [
  { colourType: 0, depths: [1, 2, 4, 8, 16], sBIT: 1, bKGD: 2, tRNS: 2 },
  { colourType: 2, depths: [8, 16], sBIT: 3, bKGD: 6, tRNS: 6 },
  { colourType: 3, depths: [1, 2, 4, 8], sBIT: 3, bKGD: 1, tRNS: undefined },
  { colourType: 4, depths: [8, 16], sBIT: 2, bKGD: 2, tRNS: 0 },
  { colourType: 6, depths: [8, 16], sBIT: 4, bKGD: 6, tRNS: 0 },
] as const;

/** An image with a palette of `count` colours. */
const withColours = (count: number, shape: Partial<PngShape>) =>
  file(pngHeader(shape), pngChunk('PLTE', new Uint8Array(3 * count)), pixels, end);

const BROKEN: Readonly<Record<string, Uint8Array>> = {
  'nothing but the signature': file(),
  'no header': file(pixels, end),
  'a header in second place': file(pngChunk('gAMA', '\0\0\0\x01'), pngHeader(), pixels, end),
  'a second header': makePng({ before: [pngHeader()] }),
  'a header of 14 bytes': file(pngChunk('IHDR', join('\0\0\0\x05\0\0\0\x03\x08\x02\0\0\0\0')), pixels, end),
  'no width': sized(0, 3),
  'no height': sized(3, 0),
  'an unknown compression': file(pngChunk('IHDR', '\0\0\0\x05\0\0\0\x03\x08\x02\x01\0\0'), pixels, end),
  'an unknown filter': file(pngChunk('IHDR', '\0\0\0\x05\0\0\0\x03\x08\x02\0\x01\0'), pixels, end),
  'an unknown interlacing': file(pngChunk('IHDR', '\0\0\0\x05\0\0\0\x03\x08\x02\0\0\x02'), pixels, end),
  'a colour type of 1': makePng({ colourType: 1 }),
  'more than 256 colours': withColours(257, { depth: 16 }),
  'no pixels': file(pngHeader(), end),
  'empty pixels': file(pngHeader(), pngChunk('IDAT'), end),
  'pixels in two places': file(pngHeader(), pixels, pngChunk('tEXt', 'a\0b'), pixels, end),
  'a missing palette': file(pngHeader({ colourType: 3 }), pixels, end),
  'a palette after the pixels': makePng({ after: [pngPalette] }),
  'two palettes': makePng({ before: [pngPalette, pngPalette] }),
  'a palette of half a colour': makePng({ before: [pngChunk('PLTE', '\0\0\0\0')] }),
  'a palette of no colours': makePng({ before: [pngChunk('PLTE')] }),
  'a palette in a grey image': makePng({ colourType: 0, before: [pngPalette] }),
  'an unknown critical chunk': makePng({ before: [pngChunk('ABCD', 'hello')] }),
  'an unknown critical chunk after the pixels': makePng({ after: [pngChunk('ABCD', 'hello')] }),
  'a chunk with an invalid name': makePng({ before: [pngChunk('te t', 'hello')] }),
  'a wrong checksum': makePng().with(-1, 0),
  'no end': makePng().subarray(0, -12),
  'an end with content': file(pngHeader(), pixels, pngChunk('IEND', 'a')),
  'a chunk length far beyond the file': join(file(pngHeader(), pixels), '\xff\xff\xff\xfftEXthello', end),
};

const DEFECTS: Readonly<Record<string, string>> = {
  'no header': 'it does not start with its header',
  'an unknown filter': 'its compression is unknown',
  'a colour type of 1': 'its colour type is unknown',
  'empty pixels': 'it has no pixels',
  'a missing palette': 'its palette is missing',
  'two palettes': 'a part is unknown or in the wrong place',
  'a palette of no colours': 'its palette does not fit',
  'a chunk with an invalid name': 'the type of a chunk is invalid',
  'a wrong checksum': 'a checksum is wrong',
  'an end with content': 'its end has the wrong length',
  'a chunk length far beyond the file': 'it is cut off',
};

describe('The PNG reader', () => {
  for (const [title, chunk] of Object.entries(REMOVED)) {
    it(`removes ${title}`, () => {
      expect(cleanImage(makePng({ before: [chunk], after: [chunk] }))).to.deep.equal(makePng());
    });
  }

  it('accepts only the depths of each colour type', () => {
    const depths = Array.from({ length: 18 }, (_, depth) => depth);
    for (const colourType of [0, 1, 2, 3, 4, 5, 6, 7, 8]) {
      const image = (depth: number) =>
        colourType === 3 ? withColours(2, { colourType, depth }) : makePng({ colourType, depth });
      const accepted = depths.filter((depth) => refusal(image(depth)) === 'taken');
      const allowed = COLOUR_TYPES.find((type) => type.colourType === colourType)?.depths ?? [];
      expect(accepted, `colour type ${colourType}`).to.deep.equal(allowed);
    }
  });

  for (const { colourType, depths, ...expected } of COLOUR_TYPES) {
    it(`keeps display chunks of colour type ${colourType} only in their exact length`, () => {
      const image = (before: Uint8Array[]) => makePng({ colourType, depth: 8, before });
      const lengths = { ...expected, cICP: 4, mDCV: 24, cLLI: 8, gAMA: 4, cHRM: 32, sRGB: 1, pHYs: 9 };
      for (const [type, length] of Object.entries(lengths)) {
        const keptLengths = Array.from({ length: 40 }, (_, count) => count).filter((count) =>
          types(cleanImage(image([pngChunk(type, new Uint8Array(count))]))).includes(type),
        );
        if (length !== undefined) expect(keptLengths, type).to.deep.equal(length === 0 ? [] : [length]);
      }
    });
  }

  it('accepts as many colours as the depth permits', () => {
    for (const depth of [1, 2, 4, 8]) {
      const max = 2 ** depth;
      expect(refusal(withColours(max, { colourType: 3, depth }))).to.equal('taken');
      expect(refusal(withColours(max + 1, { colourType: 3, depth }))).to.equal('image_broken');
    }
    expect(refusal(withColours(256, { colourType: 6 }))).to.equal('taken');
    expect(refusal(withColours(257, { colourType: 6 }))).to.equal('image_broken');
  });

  it('keeps each display chunk once, and only before the pixels', () => {
    const gamma = pngChunk('gAMA', '\0\0\xb1\x8f');
    const displayChunks = [
      gamma,
      pngChunk('cHRM', new Uint8Array(32)),
      pngChunk('sRGB', '\0'),
      pngChunk('cICP', '\x09\x10\0\x01'),
      pngChunk('mDCV', new Uint8Array(24)),
      pngChunk('cLLI', new Uint8Array(8)),
      pngChunk('sBIT', '\x08\x08\x08'),
      pngChunk('tRNS', '\0\0\0\0\0\0'),
      pngChunk('bKGD', '\0\0\0\0\0\0'),
      pngChunk('pHYs', '\0\0\0\x01\0\0\0\x01\0'),
    ];
    const image = cleanImage(makePng({ before: [...displayChunks, gamma], after: [gamma] }));
    expect(image).to.deep.equal(makePng({ before: displayChunks }));
  });

  it('keeps only the orientation of EXIF, in either byte order', () => {
    for (const orientation of [2, 3, 4, 5, 6, 7, 8]) {
      for (const order of ['MM', 'II'] as const) {
        const image = makePng({ before: [pngChunk('eXIf', cameraExif(orientation, order))] });
        expect(cleanImage(image)).to.deep.equal(makePng({ before: [exifOf(orientation)] }));
      }
    }
  });

  it('reads the first EXIF alone, and only before the pixels, as browsers do', () => {
    const exif = (orientation: number) => pngChunk('eXIf', cameraExif(orientation));
    const cleaned = (...before: number[]) =>
      cleanImage(makePng({ before: before.map(exif), after: [exif(3)] }));
    expect(cleaned(6, 8)).to.deep.equal(makePng({ before: [exifOf(6)] }));
    expect(cleaned(1, 8)).to.deep.equal(makePng());
    expect(cleaned()).to.deep.equal(makePng());
  });

  it('keeps a palette, and transparency for at most its number of colours', () => {
    const shape = { colourType: 3, depth: 4 };
    const keptTypes = (count: number) =>
      types(cleanImage(makePng({ ...shape, before: [pngChunk('tRNS', new Uint8Array(count))] })));
    expect(keptTypes(1)).to.include('tRNS');
    expect(keptTypes(16)).to.deep.equal(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
    expect(keptTypes(17)).to.deep.equal(['IHDR', 'PLTE', 'IDAT', 'IEND']);
    expect(keptTypes(0)).to.deep.equal(['IHDR', 'PLTE', 'IDAT', 'IEND']);
  });

  it('removes everything after the end', () => {
    expect(cleanImage(join(makePng(), 'PK\x03\x04'))).to.deep.equal(makePng());
    expect(cleanImage(join(makePng(), makePng()))).to.deep.equal(makePng());
  });

  it('keeps the chunks of the pixels', () => {
    const image = makePng({ pieces: 4, before: [pngChunk('tEXt', 'a\0b')] });
    const parts = (bytes: Uint8Array) => readPngChunks(bytes).filter(({ type }) => type === 'IDAT');
    expect(parts(image)).to.have.lengthOf(4);
    expect(parts(cleanImage(image))).to.deep.equal(parts(image));
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

  it('accepts interlaced pixels', () => {
    const header = pngChunk('IHDR', '\0\0\0\x05\0\0\0\x03\x08\x02\0\0\x01');
    expect(refusal(file(header, pixels, end))).to.equal('taken');
  });

  it('refuses an image with any byte of a chunk changed', () => {
    const image = makePng();
    const accepted: number[] = [];
    for (let at = 8; at < image.length; at += 1) {
      if (refusal(image.with(at, (image[at] ?? 0) ^ 1)) === 'taken') accepted.push(at);
    }
    expect(accepted).to.deep.equal([]);
  });

  it('accepts at most 4,096 pixels a side and 16,000,000 in total', () => {
    expect(refusal(sized(4_096, 3_906))).to.equal('taken');
    expect(refusal(sized(4_000, 4_000))).to.equal('taken');
    expect(refusal(sized(1, 4_096))).to.equal('taken');
    for (const [width, height] of [
      [4_096, 3_907],
      [4_001, 4_000],
      [4_097, 1],
      [1, 4_097],
      [2 ** 32 - 1, 1],
    ] as const) {
      expect(refusal(sized(width, height)), `${width} x ${height}`).to.equal('image_too_large');
    }
  });

  it('names the size of an image that is too large, and the limit', () => {
    expect(() => cleanImage(sized(4_097, 1))).to.throw(
      'The image is too large: 4097 x 1 pixels, at most 4096 a side.',
    );
    expect(() => cleanImage(sized(4_001, 4_000))).to.throw(
      'The image is too large: 4001 x 4000 pixels, at most 16000000 in all.',
    );
  });

  it('refuses an image that is too large by its header alone', () => {
    expect(refusal(file(pngHeader({ width: 50_000, height: 50_000 })))).to.equal('image_too_large');
  });
});
