import { join } from './bytes.ts';
import { cameraExif } from './exif.ts';
import * as gif from './gif.ts';
import * as jpeg from './jpeg.ts';
import * as png from './png.ts';
import * as webp from './webp.ts';

const { FLAG } = webp;

/** Intact images without metadata that cleaning removes. */
export const plainImages: Readonly<Record<string, Uint8Array>> = {
  'a PNG': png.makePng(),
  'a PNG in grey, 1 bit': png.makePng({ colourType: 0, depth: 1, width: 9 }),
  'a PNG in grey, 16 bits': png.makePng({ colourType: 0, depth: 16 }),
  'a PNG with a palette': png.makePng({
    colourType: 3,
    depth: 4,
    before: [png.pngChunk('tRNS', '\0\x80'), png.pngChunk('bKGD', '\x01')],
  }),
  'a PNG in grey with transparency': png.makePng({ colourType: 4 }),
  'a PNG in colour with transparency': png.makePng({ colourType: 6, depth: 16, pieces: 3 }),
  'a PNG that says how it looks': png.makePng({
    before: [
      png.pngChunk('gAMA', '\0\0\xb1\x8f'),
      png.pngChunk('sRGB', '\0'),
      png.pngChunk('sBIT', '\x08\x08\x08'),
      png.pngChunk('pHYs', '\0\0\x0b\x13\0\0\x0b\x13\x01'),
    ],
  }),
  'a JPEG of 1 x 1': jpeg.makeJpeg({ before: [jpeg.jfif] }),
  'a grey JPEG of 8 x 8': jpeg.makeJpeg({ components: 1, width: 8, height: 8 }),
  'a JPEG with restarts': jpeg.makeJpeg({ width: 37, height: 91, restarts: true, before: [jpeg.jfif] }),
  'a progressive JPEG': jpeg.makeJpeg({ width: 20, height: 30, progressive: true }),
  'a JPEG of four inks': jpeg.makeJpeg({ components: 4, width: 16, height: 9, before: [jpeg.adobe] }),
  'a GIF': gif.makeGif(),
  'a GIF of 1987': gif.makeGif({ version: '87a', blocks: [gif.gifFrame({ ownColours: true })] }),
  'an animated GIF': gif.makeGif({
    blocks: [
      gif.gifLoop,
      gif.gifControl,
      gif.gifFrame(),
      gif.gifControl,
      gif.gifFrame({ left: 1, top: 1, width: 2, height: 1 }),
    ],
  }),
  'a lossless WebP': webp.makeWebp(webp.losslessPicture(300, 200)),
  'a lossy WebP': webp.makeWebp(webp.lossyPicture),
  'a lossy WebP with transparency': webp.makeWebp(
    webp.webpHeader(FLAG.alpha, 16, 16),
    webp.alpha(256),
    webp.lossyPicture,
  ),
  'an animated WebP': webp.makeWebp(
    webp.webpHeader(FLAG.animation | FLAG.alpha, 40, 30),
    webp.webpAnimation,
    webp.webpFrame({ width: 40, height: 30 }, webp.losslessPicture(40, 30)),
    webp.webpFrame({ left: 2, top: 4, width: 16, height: 16 }, webp.alpha(256), webp.lossyPicture),
  ),
};

const xmp = '<x:xmpmeta>Kamienna 7, 31-403</x:xmpmeta>';

/** Intact images with metadata that cleaning removes. */
export const imagesWithMetadata: Readonly<Record<string, Uint8Array>> = {
  'a PNG with text, time and a profile': png.makePng({
    before: [png.pngChunk('iCCP', 'name\0\0'), png.pngChunk('tEXt', 'Comment\0Kamienna 7, 31-403')],
    after: [png.pngChunk('tIME', '\x07\xe9\x01\x02\x03\x04\x05'), png.pngChunk('eXIf', cameraExif(6))],
  }),
  'a JPEG of a camera': jpeg.makeJpeg({
    width: 37,
    height: 91,
    before: [
      jpeg.exifSegment(cameraExif(6, 'II')),
      jpeg.jpegSegment(0xe1, 'http://ns.adobe.com/xap/1.0/\0', xmp),
      jpeg.jpegSegment(0xe2, 'ICC_PROFILE\0', 1, 1, 'Kamienna'),
      jpeg.jpegSegment(0xfe, 'Kamienna 7, 31-403'),
    ],
    trailing: jpeg.makeJpeg(),
  }),
  'a GIF with a comment': gif.makeGif({
    blocks: [gif.gifComment('Kamienna 7, 31-403'), gif.gifFrame(), gif.gifApplication('XMP DataXMP', xmp)],
  }),
  'a WebP of a camera': webp.makeWebp(
    webp.webpHeader(FLAG.profile | FLAG.exif | FLAG.xmp, 16, 16),
    webp.webpChunk('ICCP', 'Kamienna'),
    webp.lossyPicture,
    webp.webpChunk('EXIF', cameraExif(8)),
    webp.webpChunk('XMP ', xmp),
  ),
  'an animated WebP with unknown chunks': webp.makeWebp(
    webp.webpHeader(FLAG.animation, 16, 16),
    webp.webpAnimation,
    webp.webpFrame({ width: 16, height: 16 }, webp.lossyPicture, webp.webpChunk('HIDE', 'Kamienna')),
    webp.webpChunk('HIDE', 'Kamienna!'),
  ),
};

/** `name` is the file name that a user would upload it with. */
export interface CraftedImage {
  readonly what: string;
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The code of the refusal; undefined if the image is accepted without its payload. */
  readonly code: 'not_an_image' | 'image_too_large' | 'image_broken' | undefined;
}

const html = '<!doctype html><script>alert(document.domain)</script>';
const zip = join('PK\x03\x04\x0a\0', html, 'PK\x05\x06', new Uint8Array(18));

/** Files that carry scripts, archives or metadata, or exceed a limit. */
export const craftedImages: readonly CraftedImage[] = [
  {
    what: 'an SVG with a script',
    name: 'me.svg',
    bytes: join('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
    code: 'not_an_image',
  },
  { what: 'HTML under the name of a PNG', name: 'me.png', bytes: join(html), code: 'not_an_image' },
  {
    what: 'the header of a PNG with HTML behind it',
    name: 'me.png',
    bytes: join(png.PNG_SIGNATURE, png.pngHeader(), html),
    code: 'image_broken',
  },
  {
    what: 'a GIF that is a Java archive as well',
    name: 'me.gif',
    bytes: gif.makeGif({ blocks: [gif.gifFrame(), gif.gifComment(html)], trailing: zip }),
    code: undefined,
  },
  {
    what: 'a truncated JPEG',
    name: 'me.jpg',
    bytes: jpeg.makeJpeg({ width: 64, height: 64 }).subarray(0, -20),
    code: 'image_broken',
  },
  {
    what: 'an image of 50,000 x 50,000 pixels',
    name: 'me.png',
    bytes: join(
      png.PNG_SIGNATURE,
      png.pngHeader({ width: 50_000, height: 50_000 }),
      png.pngChunk('IDAT', png.pngPixels()),
      png.pngChunk('IEND'),
    ),
    code: 'image_too_large',
  },
  {
    what: 'a GIF of 10,000 frames',
    name: 'me.gif',
    bytes: gif.makeGif({ blocks: Array.from({ length: 10_000 }, () => gif.gifFrame()) }),
    code: 'image_too_large',
  },
  {
    what: 'a JPEG that says where it was taken',
    name: 'me.jpg',
    bytes: jpeg.makeJpeg({ before: [jpeg.exifSegment(cameraExif(6))] }),
    code: undefined,
  },
  {
    what: 'a PNG with text',
    name: 'me.png',
    bytes: png.makePng({
      before: [png.pngChunk('tEXt', `Comment\0${html}`), png.pngChunk('iTXt', `XML\0\0\0\0\0${html}`)],
      after: [png.pngChunk('zTXt', `Comment\0\0${html}`)],
    }),
    code: undefined,
  },
  {
    what: 'a PNG with a wrong checksum',
    name: 'me.png',
    bytes: png.makePng().with(-20, 0x5a),
    code: 'image_broken',
  },
  {
    what: 'a WebP with XMP',
    name: 'me.webp',
    bytes: webp.makeWebp(
      webp.webpHeader(FLAG.xmp, 16, 16),
      webp.lossyPicture,
      webp.webpChunk('XMP ', `<x:xmpmeta>${html}</x:xmpmeta>`),
    ),
    code: undefined,
  },
  {
    what: 'a JPEG with a ZIP behind it',
    name: 'me.jpg',
    bytes: jpeg.makeJpeg({ trailing: zip }),
    code: undefined,
  },
];
