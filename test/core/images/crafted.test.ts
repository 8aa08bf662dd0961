import { expect } from 'chai';
import { readImage } from '../../../core/images/index.ts';
import { includesText, join } from '../../support/images/bytes.ts';
import { PLACE } from '../../support/images/exif.ts';
import { cleanImage, limits, readOrRefuse, refusal } from '../../support/images/reading.ts';
import { craftedImages, imagesWithMetadata, plainImages } from '../../support/images/samples.ts';

/** Texts that crafted files contain beside the picture. */
const PAYLOADS = ['<script', '<!doctype', 'PK\x03\x04', PLACE, 'Comment', 'xmpmeta'];

const NOT_IMAGES: Readonly<Record<string, Uint8Array>> = {
  nothing: join(''),
  'half a signature of a PNG': join('\x89PNG'),
  'the first two bytes of a JPEG': join('\xff\xd8'),
  'a BMP': join('BM', new Uint8Array(60)),
  'a TIFF': join('MM\0*', new Uint8Array(60)),
  'a RIFF of sound': join('RIFF\x04\0\0\0WAVE'),
  'a WebP in another container': join('RIFX\x04\0\0\0WEBP'),
  'an AVIF': join('\0\0\0\x1cftypavif', new Uint8Array(60)),
  'a PDF': join('%PDF-1.7'),
  'a PNG that lost its line ends': join('\x89PNG\n\n\x1a\n', new Uint8Array(60)),
  'HTML before a GIF': join('<script>', plainImages['a GIF'] ?? ''),
};

describe('A crafted file', () => {
  for (const { what: title, bytes, code } of craftedImages) {
    it(`${code === undefined ? 'is read without its payload' : `is refused with ${code}`}: ${title}`, () => {
      expect(refusal(bytes)).to.equal(code ?? 'taken');
      if (code !== undefined) return;
      expect(
        PAYLOADS.some((payload) => includesText(bytes, payload)),
        'a payload to remove',
      ).to.equal(true);
      for (const payload of PAYLOADS)
        expect(includesText(cleanImage(bytes), payload), payload).to.equal(false);
    });
  }

  for (const [title, bytes] of Object.entries(NOT_IMAGES)) {
    it(`is not accepted as an image: ${title}`, () => {
      expect(refusal(bytes)).to.equal('not_an_image');
      expect(() => cleanImage(bytes)).to.throw('The file is not a JPEG, PNG, WebP or GIF image.');
    });
  }
});

describe('An image', () => {
  const kinds = { PNG: 'png', JPEG: 'jpg', GIF: 'gif', WebP: 'webp' } as const;

  for (const [title, bytes] of Object.entries(plainImages)) {
    it(`stays unchanged without metadata: ${title}`, () => {
      const image = readImage(bytes, limits);
      const extension = Object.entries(kinds).find(([word]) => title.includes(word))?.[1];
      expect(image.bytes).to.deep.equal(bytes);
      expect(image.extension).to.equal(extension);
      expect(image.type).to.equal(`image/${extension === 'jpg' ? 'jpeg' : extension}`);
    });
  }

  for (const [title, bytes] of Object.entries(imagesWithMetadata)) {
    it(`loses its metadata: ${title}`, () => {
      expect(includesText(bytes, 'Kamienna')).to.equal(true);
      const image = readImage(bytes, limits);
      expect(includesText(image.bytes, 'Kamienna')).to.equal(false);
      expect(image.bytes.length).to.be.lessThan(bytes.length);
      expect(readOrRefuse(image.bytes)).to.deep.equal(image);
    });
  }

  for (const [title, bytes] of Object.entries({ ...plainImages, ...imagesWithMetadata })) {
    it(`is refused if it is truncated before the end of its last part: ${title}`, () => {
      const image = title === 'a JPEG of a camera' ? cleanImage(bytes) : bytes;
      const accepted = Array.from(image.keys()).filter(
        (length) => refusal(image.subarray(0, length)) === 'taken',
      );
      expect(accepted).to.deep.equal([]);
    });
  }

  it('is a copy that later changes of the upload do not affect', () => {
    const upload = (plainImages['a PNG'] ?? join('')).slice();
    const image = readImage(upload, limits);
    upload.fill(0);
    expect(image.bytes).to.deep.equal(plainImages['a PNG']);
  });

  it('is read from a view of a larger buffer', () => {
    const bytes = plainImages['an animated WebP'] ?? join('');
    const around = join('hello', bytes, 'hello');
    expect(cleanImage(around.subarray(5, -5))).to.deep.equal(bytes);
  });
});
