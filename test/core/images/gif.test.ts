import { expect } from 'chai';
import { readImage } from '../../../core/images/index.ts';
import { join } from '../../support/images/bytes.ts';
import * as gif from '../../support/images/gif.ts';
import { cleanImage, limits, refusal } from '../../support/images/reading.ts';

const { gifApplication, gifComment, gifControl, gifFrame, gifLoop, gifText, makeGif, subBlocks } = gif;

const REMOVED: Readonly<Record<string, Uint8Array>> = {
  'a comment': gifComment('hello'.repeat(100)),
  'an empty comment': gifComment(''),
  'a line of text': gifText('hello'),
  'a line of text with its control': join(gifControl, gifText('hello')),
  XMP: gifApplication('XMP DataXMP', '<x:xmpmeta/>'),
  'a colour profile': gifApplication('ICCRGBG1012', 'hello'),
  'an unknown extension': join('!\x42', subBlocks('hello')),
  'a loop without a count': gifApplication('NETSCAPE2.0', '\x02\0\0\0\x01'),
  'a loop of another kind': gifApplication('NETSCAPE2.0', '\x02\0\0'),
  'a loop of two bytes': gifApplication('NETSCAPE2.0', '\x01\0'),
  'a loop with a longer name': join('!\xff\x0cNETSCAPE2.0\x03\x01\x05\0'),
  'a loop without content': gifApplication('NETSCAPE2.0', ''),
  'an application without a name': join('!\xff\0'),
};

const oneFrame = (frame: gif.GifFrame) => makeGif({ blocks: [gifFrame(frame)] });

const BROKEN: Readonly<Record<string, Uint8Array>> = {
  'nothing but its name': join('GIF89a'),
  'colours that are cut off': makeGif().subarray(0, 20),
  'no frames': makeGif({ blocks: [] }),
  'no trailer': makeGif().subarray(0, -1),
  'a comment without end': join(makeGif().subarray(0, -1), '!\xfe\x05hello'),
  'an extension without content': join(makeGif().subarray(0, -1), '!'),
  'bytes between its blocks': makeGif({ blocks: [gifFrame(), join('hello'), gifFrame()] }),
  'no width': makeGif({ width: 0 }),
  'no height': makeGif({ height: 0 }),
  'a frame without width': oneFrame({ width: 0 }),
  'a frame without height': oneFrame({ height: 0 }),
  'a frame wider than its screen': oneFrame({ width: 4 }),
  'a frame beside its screen': oneFrame({ left: 1 }),
  'a frame below its screen': oneFrame({ top: 1 }),
  'a code size of 1': oneFrame({ codeSize: 1 }),
  'a code size of 9': oneFrame({ codeSize: 9 }),
  'a frame without pixels': makeGif({ blocks: [gifFrame().subarray(0, 11), join(0)] }),
  'a frame that is cut off': makeGif().subarray(0, -4),
  'a control of three bytes': makeGif({ blocks: [join('!\xf9\x03', 0, 0, 0, 0), gifFrame()] }),
  'a control of two parts': makeGif({ blocks: [join('!\xf9\x01', 0, 2, 0, 0, 0), gifFrame()] }),
  'a control that goes on': makeGif({
    blocks: [join(gifControl.subarray(0, -1), '\x05hello\0'), gifFrame()],
  }),
};

const DEFECTS: Readonly<Record<string, string>> = {
  'no frames': 'it has no pixels',
  'no trailer': 'it is cut off',
  'bytes between its blocks': 'it has data between its parts',
  'no width': 'it has no pixels',
  'a frame beside its screen': 'a frame exceeds its bounds',
  'a code size of 1': 'its compression is unknown',
  'a frame without pixels': 'a frame has no pixels',
  'a control of two parts': 'a frame has no proper control',
};

describe('The GIF reader', () => {
  for (const [title, block] of Object.entries(REMOVED)) {
    it(`removes ${title}`, () => {
      expect(cleanImage(makeGif({ blocks: [block, gifFrame(), block] }))).to.deep.equal(makeGif());
    });
  }

  for (const name of ['NETSCAPE2.0', 'ANIMEXTS1.0']) {
    it(`keeps only the loop count of ${name}`, () => {
      const loop = gifApplication(name, '\x01\x05\0');
      const withExtraData = join(
        gifApplication(name, '').subarray(0, -1),
        '\x01h\x05hello\x03\x01\x05\0\x05hello\0',
      );
      expect(cleanImage(makeGif({ blocks: [withExtraData, gifFrame()] }))).to.deep.equal(
        makeGif({ blocks: [loop, gifFrame()] }),
      );
    });
  }

  it('keeps frames, their colours and their controls byte by byte', () => {
    const second = gifFrame({ left: 1, width: 2, height: 1, ownColours: true });
    const frames = (between: Uint8Array) =>
      makeGif({ blocks: [gifLoop, gifControl, between, gifFrame(), between, gifControl, second] });
    expect(cleanImage(frames(gifComment('hello')))).to.deep.equal(frames(join('')));
  });

  it('keeps only the last control before a frame, and none after the last frame', () => {
    const slowControl = gifControl.with(4, 200);
    expect(cleanImage(makeGif({ blocks: [gifControl, slowControl, gifFrame(), gifControl] }))).to.deep.equal(
      makeGif({ blocks: [slowControl, gifFrame()] }),
    );
  });

  it('accepts code sizes from 2 to 8', () => {
    for (const codeSize of [2, 3, 8]) expect(refusal(oneFrame({ codeSize }))).to.equal('taken');
  });

  it('accepts both versions', () => {
    const oldVersion = makeGif({ version: '87a' });
    expect(cleanImage(oldVersion)).to.deep.equal(oldVersion);
    expect(refusal(join('GIF90a', oldVersion.subarray(6)))).to.equal('not_an_image');
  });

  it('removes everything after the trailer', () => {
    expect(cleanImage(makeGif({ trailing: 'PK\x03\x04' }))).to.deep.equal(makeGif());
    expect(cleanImage(makeGif({ trailing: makeGif() }))).to.deep.equal(makeGif());
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
    const { width, height } = readImage(makeGif({ width: 4_096, height: 3_906 }), limits);
    expect([width, height]).to.deep.equal([4_096, 3_906]);
    expect(refusal(makeGif({ width: 4_096, height: 3_907 }))).to.equal('image_too_large');
    expect(refusal(makeGif({ width: 4_097, height: 1 }))).to.equal('image_too_large');
    expect(refusal(makeGif({ width: 1, height: 4_097 }))).to.equal('image_too_large');
  });

  it('refuses a frame that is too large, regardless of its screen', () => {
    const frame = join(',\0\0\0\0', '\x01\x10\x01\0', gifFrame().subarray(9));
    expect(refusal(makeGif({ blocks: [frame] }))).to.equal('image_too_large');
  });

  it('accepts at most a thousand frames', () => {
    const frames = (count: number) => makeGif({ blocks: Array<Uint8Array>(count).fill(gifFrame()) });
    expect(refusal(frames(1_000))).to.equal('taken');
    expect(refusal(frames(1_001))).to.equal('image_too_large');
    expect(() => cleanImage(frames(1_001))).to.throw('The image is too large: at most 1000 frames.');
  });
});
