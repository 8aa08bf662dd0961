import { expect } from 'chai';
import { join } from '../../support/images/bytes.ts';
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
import { cleaned, refusal } from '../../support/images/reading.ts';

const types = (bytes: Uint8Array) => readPngChunks(bytes).map(({ type }) => type);
const pixels = pngChunk('IDAT', pngPixels());
const end = pngChunk('IEND');
const file = (...chunks: Uint8Array[]) => join(PNG_SIGNATURE, ...chunks);
const sized = (width: number, height: number) => file(pngHeader({ width, height }), pixels, end);

const dropped: Readonly<Record<string, Uint8Array>> = {
  text: pngChunk('tEXt', 'Comment\0hello'),
  'packed text': pngChunk('zTXt', 'Comment\0\0hello'),
  'text in any language': pngChunk('iTXt', 'Comment\0\0\0\0\0hello'),
  'the time': pngChunk('tIME', '\x07\xe9\x01\x02\x03\x04\x05'),
  EXIF: pngChunk('eXIf', 'MM\0*\0\0\0\x08\0\0'),
  'a colour profile': pngChunk('iCCP', 'name\0\0hello'),
  'the start of an animation': pngChunk('acTL', '\0\0\0\x01\0\0\0\0'),
  'a frame of an animation': pngChunk('fdAT', join('\0\0\0\0', pngPixels())),
  'what nobody knows': pngChunk('prVt', 'hello'),
  'what is reserved': pngChunk('abcd', 'hello'),
};

/** For each colour type its depths, and how long the chunks are that depend on it; 0 for none. */
const COLOUR_TYPES = [
  { colourType: 0, depths: [1, 2, 4, 8, 16], sBIT: 1, bKGD: 2, tRNS: 2 },
  { colourType: 2, depths: [8, 16], sBIT: 3, bKGD: 6, tRNS: 6 },
  { colourType: 3, depths: [1, 2, 4, 8], sBIT: 3, bKGD: 1, tRNS: undefined },
  { colourType: 4, depths: [8, 16], sBIT: 2, bKGD: 2, tRNS: 0 },
  { colourType: 6, depths: [8, 16], sBIT: 4, bKGD: 6, tRNS: 0 },
] as const;

/** With a palette of so many colours. */
const withColours = (count: number, shape: Partial<PngShape>) =>
  file(pngHeader(shape), pngChunk('PLTE', new Uint8Array(3 * count)), pixels, end);

const broken: Readonly<Record<string, Uint8Array>> = {
  'nothing but the signature': file(),
  'no header': file(pixels, end),
  'a header that comes second': file(pngChunk('gAMA', '\0\0\0\x01'), pngHeader(), pixels, end),
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
  'a palette that is missing': file(pngHeader({ colourType: 3 }), pixels, end),
  'a palette behind the pixels': makePng({ after: [pngPalette] }),
  'two palettes': makePng({ before: [pngPalette, pngPalette] }),
  'a palette of half a colour': makePng({ before: [pngChunk('PLTE', '\0\0\0\0')] }),
  'a palette of no colours': makePng({ before: [pngChunk('PLTE')] }),
  'a palette in a grey image': makePng({ colourType: 0, before: [pngPalette] }),
  'an unknown critical chunk': makePng({ before: [pngChunk('ABCD', 'hello')] }),
  'an unknown critical chunk behind the pixels': makePng({ after: [pngChunk('ABCD', 'hello')] }),
  'a chunk whose name is no name': makePng({ before: [pngChunk('te t', 'hello')] }),
  'a wrong checksum': makePng().with(-1, 0),
  'no end': makePng().subarray(0, -12),
  'an end with content': file(pngHeader(), pixels, pngChunk('IEND', 'a')),
  'bytes behind the end': join(makePng(), 'hello'),
  'a chunk that is said to reach far behind the file': join(
    file(pngHeader(), pixels),
    '\xff\xff\xff\xfftEXthello',
    end,
  ),
};

const reasons: Readonly<Record<string, string>> = {
  'no header': 'it does not start with its header',
  'an unknown filter': 'its compression is unknown',
  'a colour type of 1': 'its colour type is unknown',
  'empty pixels': 'it has no pixels',
  'a palette that is missing': 'its palette is missing',
  'two palettes': 'a part is unknown or in the wrong place',
  'a palette of no colours': 'its palette does not fit',
  'a chunk whose name is no name': 'the type of a chunk is invalid',
  'a wrong checksum': 'a checksum is wrong',
  'bytes behind the end': 'it goes on after its end',
  'a chunk that is said to reach far behind the file': 'it is cut off',
};

describe('Reading a PNG', () => {
  for (const [title, chunk] of Object.entries(dropped)) {
    it(`leaves out ${title}`, () => {
      expect(cleaned(makePng({ before: [chunk], after: [chunk] }))).to.deep.equal(makePng());
    });
  }

  it('takes the depths that a colour type has, and no other', () => {
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
    it(`keeps what says how colour type ${colourType} looks in its proper length alone`, () => {
      const image = (before: Uint8Array[]) => makePng({ colourType, depth: 8, before });
      for (const [type, length] of Object.entries({ ...expected, gAMA: 4, cHRM: 32, sRGB: 1, pHYs: 9 })) {
        const keptLengths = Array.from({ length: 40 }, (_, count) => count).filter((count) =>
          types(cleaned(image([pngChunk(type, new Uint8Array(count))]))).includes(type),
        );
        if (length !== undefined) expect(keptLengths, type).to.deep.equal(length === 0 ? [] : [length]);
      }
    });
  }

  it('takes as many colours as the depth can name', () => {
    for (const depth of [1, 2, 4, 8]) {
      const most = 2 ** depth;
      expect(refusal(withColours(most, { colourType: 3, depth }))).to.equal('taken');
      expect(refusal(withColours(most + 1, { colourType: 3, depth }))).to.equal('image_broken');
    }
    expect(refusal(withColours(256, { colourType: 6 }))).to.equal('taken');
    expect(refusal(withColours(257, { colourType: 6 }))).to.equal('image_broken');
  });

  it('keeps what says how the pixels look, once and before them', () => {
    const gamma = pngChunk('gAMA', '\0\0\xb1\x8f');
    const looks = [
      gamma,
      pngChunk('cHRM', new Uint8Array(32)),
      pngChunk('sRGB', '\0'),
      pngChunk('sBIT', '\x08\x08\x08'),
      pngChunk('tRNS', '\0\0\0\0\0\0'),
      pngChunk('bKGD', '\0\0\0\0\0\0'),
      pngChunk('pHYs', '\0\0\0\x01\0\0\0\x01\0'),
    ];
    const image = cleaned(makePng({ before: [...looks, gamma], after: [gamma] }));
    expect(image).to.deep.equal(makePng({ before: looks }));
  });

  it('keeps a palette and as many transparencies as it has colours', () => {
    const shape = { colourType: 3, depth: 4 };
    const keeps = (count: number) =>
      types(cleaned(makePng({ ...shape, before: [pngChunk('tRNS', new Uint8Array(count))] })));
    expect(keeps(1)).to.include('tRNS');
    expect(keeps(16)).to.deep.equal(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
    expect(keeps(17)).to.deep.equal(['IHDR', 'PLTE', 'IDAT', 'IEND']);
    expect(keeps(0)).to.deep.equal(['IHDR', 'PLTE', 'IDAT', 'IEND']);
  });

  it('keeps the pixels in the pieces they came in', () => {
    const image = makePng({ pieces: 4, before: [pngChunk('tEXt', 'a\0b')] });
    const parts = (bytes: Uint8Array) => readPngChunks(bytes).filter(({ type }) => type === 'IDAT');
    expect(parts(image)).to.have.lengthOf(4);
    expect(parts(cleaned(image))).to.deep.equal(parts(image));
  });

  for (const [title, bytes] of Object.entries(broken)) {
    it(`finds it broken with ${title}`, () => {
      expect(refusal(bytes)).to.equal('image_broken');
    });
  }

  it('says what is wrong with it', () => {
    for (const [title, reason] of Object.entries(reasons))
      expect(() => cleaned(broken[title] ?? join('')), title).to.throw(`The image is broken: ${reason}.`);
  });

  it('takes interlaced pixels', () => {
    const header = pngChunk('IHDR', '\0\0\0\x05\0\0\0\x03\x08\x02\0\0\x01');
    expect(refusal(file(header, pixels, end))).to.equal('taken');
  });

  it('finds it broken with any byte of a chunk changed', () => {
    const image = makePng();
    const accepted: number[] = [];
    for (let at = 8; at < image.length; at += 1) {
      if (refusal(image.with(at, (image[at] ?? 0) ^ 1)) === 'taken') accepted.push(at);
    }
    expect(accepted).to.deep.equal([]);
  });

  it('takes 4,096 pixels a side and 16,000,000 in all, and no more', () => {
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

  it('says how large it is, and how large it may be', () => {
    expect(() => cleaned(sized(4_097, 1))).to.throw(
      'The image is too large: 4097 x 1 pixels, at most 4096 a side.',
    );
    expect(() => cleaned(sized(4_001, 4_000))).to.throw(
      'The image is too large: 4001 x 4000 pixels, at most 16000000 in all.',
    );
  });

  it('knows that it is too large from its header alone', () => {
    expect(refusal(file(pngHeader({ width: 50_000, height: 50_000 })))).to.equal('image_too_large');
  });
});
