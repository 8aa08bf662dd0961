import { expect } from 'chai';
import { join } from '../../../support/images/bytes.ts';
import {
  makePng,
  PNG_SIGNATURE,
  pngChunk,
  pngHeader,
  pngPalette,
  pngPixels,
  readPngChunks,
} from '../../../support/images/png.ts';
import { cleaned, refusal } from '../../../support/images/reading.ts';

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

const unfit: Readonly<Record<string, Uint8Array>> = {
  'a gamma of five bytes': pngChunk('gAMA', '\0\0\0\0\0'),
  'significant bits of another colour type': pngChunk('sBIT', '\x08'),
  'a background of another colour type': pngChunk('bKGD', '\0'),
  'a transparent colour of another colour type': pngChunk('tRNS', '\0\0'),
};

const broken: Readonly<Record<string, Uint8Array>> = {
  'nothing but the signature': file(),
  'no header': file(pixels, end),
  'a header that comes second': file(pngChunk('gAMA', '\0\0\0\x01'), pngHeader(), pixels, end),
  'a second header': makePng({ before: [pngHeader()] }),
  'a header of 14 bytes': file(pngChunk('IHDR', join('\0\0\0\x05\0\0\0\x03\x08\x02\0\0\0\0')), pixels, end),
  'no width': sized(0, 3),
  'no height': sized(3, 0),
  'colours of 4 bits': makePng({ colourType: 2, depth: 4 }),
  'a palette of 16 bits': makePng({ colourType: 3, depth: 16 }),
  'a colour type that does not exist': makePng({ colourType: 5 }),
  'a depth that does not exist': makePng({ colourType: 0, depth: 3 }),
  'an unknown compression': file(pngChunk('IHDR', '\0\0\0\x05\0\0\0\x03\x08\x02\x01\0\0'), pixels, end),
  'an unknown filter': file(pngChunk('IHDR', '\0\0\0\x05\0\0\0\x03\x08\x02\0\x01\0'), pixels, end),
  'an unknown interlacing': file(pngChunk('IHDR', '\0\0\0\x05\0\0\0\x03\x08\x02\0\0\x02'), pixels, end),
  'no pixels': file(pngHeader(), end),
  'empty pixels': file(pngHeader(), pngChunk('IDAT'), end),
  'pixels in two places': file(pngHeader(), pixels, pngChunk('tEXt', 'a\0b'), pixels, end),
  'a palette that is missing': file(pngHeader({ colourType: 3 }), pixels, end),
  'a palette behind the pixels': makePng({ after: [pngPalette] }),
  'two palettes': makePng({ before: [pngPalette, pngPalette] }),
  'a palette of half a colour': makePng({ before: [pngChunk('PLTE', '\0\0\0\0')] }),
  'a palette of no colours': makePng({ before: [pngChunk('PLTE')] }),
  'a palette in a grey image': makePng({ colourType: 0, before: [pngPalette] }),
  'more colours than its depth can name': makePng({ colourType: 3, depth: 2 }),
  'an unknown critical chunk': makePng({ before: [pngChunk('ABCD', 'hello')] }),
  'an unknown critical chunk behind the pixels': makePng({ after: [pngChunk('ABCD', 'hello')] }),
  'a chunk whose name is no name': makePng({ before: [pngChunk('te t', 'hello')] }),
  'no end': makePng().subarray(0, -12),
  'an end with content': file(pngHeader(), pixels, pngChunk('IEND', 'hello')),
  'bytes behind the end': join(makePng(), 'hello'),
  'a chunk that is said to reach far behind the file': join(
    file(pngHeader(), pixels),
    '\xff\xff\xff\xfftEXthello',
    end,
  ),
};

describe('Reading a PNG', () => {
  for (const [what, chunk] of Object.entries(dropped)) {
    it(`leaves out ${what}`, () => {
      expect(cleaned(makePng({ before: [chunk], after: [chunk] }))).to.deep.equal(makePng());
    });
  }

  for (const [what, chunk] of Object.entries(unfit)) {
    it(`leaves out ${what}`, () => {
      expect(cleaned(makePng({ before: [chunk] }))).to.deep.equal(makePng());
    });
  }

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
    const kept = cleaned(makePng({ before: [...looks, gamma], after: [gamma] }));
    expect(kept).to.deep.equal(makePng({ before: looks }));
  });

  it('keeps a palette and as many transparencies as it has colours', () => {
    const shape = { colourType: 3, depth: 4 };
    const kept = (count: number) =>
      types(cleaned(makePng({ ...shape, before: [pngChunk('tRNS', new Uint8Array(count))] })));
    expect(kept(16)).to.deep.equal(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
    expect(kept(17)).to.deep.equal(['IHDR', 'PLTE', 'IDAT', 'IEND']);
    expect(kept(0)).to.deep.equal(['IHDR', 'PLTE', 'IDAT', 'IEND']);
  });

  it('keeps the pixels in the pieces they came in', () => {
    const given = makePng({ pieces: 4, before: [pngChunk('tEXt', 'a\0b')] });
    const parts = (bytes: Uint8Array) => readPngChunks(bytes).filter(({ type }) => type === 'IDAT');
    expect(parts(given)).to.have.lengthOf(4);
    expect(parts(cleaned(given))).to.deep.equal(parts(given));
  });

  for (const [what, bytes] of Object.entries(broken)) {
    it(`finds it broken with ${what}`, () => {
      expect(refusal(bytes)).to.equal('image_broken');
    });
  }

  it('finds it broken with any byte of a chunk changed', () => {
    const whole = makePng();
    const taken: number[] = [];
    for (let at = 8; at < whole.length; at += 1) {
      if (refusal(whole.with(at, (whole[at] ?? 0) ^ 1)) === 'taken') taken.push(at);
    }
    expect(taken).to.deep.equal([]);
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

  it('knows that it is too large from its header alone', () => {
    expect(refusal(file(pngHeader({ width: 50_000, height: 50_000 })))).to.equal('image_too_large');
  });
});
