import { expect } from 'chai';
import { readImage } from '../../../core/images/index.ts';
import { holds, join } from '../../support/images/bytes.ts';
import { PLACE } from '../../support/images/exif.ts';
import { cleaned, limits, readOrRefuse, refusal } from '../../support/images/reading.ts';
import { crafted, plain, talkative } from '../../support/images/samples.ts';

/** What a crafted file carries besides its picture. */
const loads = ['<script', '<!doctype', 'PK\x03\x04', PLACE, 'Comment', 'xmpmeta'];

const notImages: Readonly<Record<string, Uint8Array>> = {
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
  'HTML before a GIF': join('<script>', plain['a GIF'] ?? ''),
};

describe('A file made to be more than an image', () => {
  for (const { what: title, bytes, code } of crafted) {
    it(`${code === undefined ? 'is taken without its load' : `is refused with ${code}`}: ${title}`, () => {
      expect(refusal(bytes)).to.equal(code ?? 'taken');
      if (code !== undefined) return;
      expect(
        loads.some((load) => holds(bytes, load)),
        'a load to lose',
      ).to.equal(true);
      for (const load of loads) expect(holds(cleaned(bytes), load), load).to.equal(false);
    });
  }

  for (const [title, bytes] of Object.entries(notImages)) {
    it(`is not an image: ${title}`, () => {
      expect(refusal(bytes)).to.equal('not_an_image');
      expect(() => cleaned(bytes)).to.throw('The file is not a JPEG, PNG, WebP or GIF image.');
    });
  }
});

describe('An image', () => {
  const kinds = { PNG: 'png', JPEG: 'jpg', GIF: 'gif', WebP: 'webp' } as const;

  for (const [title, bytes] of Object.entries(plain)) {
    it(`that says no more than how it looks stays as it is: ${title}`, () => {
      const image = readImage(bytes, limits);
      const extension = Object.entries(kinds).find(([word]) => title.includes(word))?.[1];
      expect(image.bytes).to.deep.equal(bytes);
      expect(image.extension).to.equal(extension);
      expect(image.type).to.equal(`image/${extension === 'jpg' ? 'jpeg' : extension}`);
    });
  }

  for (const [title, bytes] of Object.entries(talkative)) {
    it(`loses what it says beyond that: ${title}`, () => {
      expect(holds(bytes, 'Kamienna')).to.equal(true);
      const image = readImage(bytes, limits);
      expect(holds(image.bytes, 'Kamienna')).to.equal(false);
      expect(image.bytes.length).to.be.lessThan(bytes.length);
      expect(readOrRefuse(image.bytes)).to.deep.equal(image);
    });
  }

  for (const [title, bytes] of Object.entries({ ...plain, ...talkative })) {
    it(`is never taken when it is cut off before its last part ends: ${title}`, () => {
      const image = title === 'a JPEG of a camera' ? cleaned(bytes) : bytes;
      const accepted = Array.from(image.keys()).filter(
        (length) => refusal(image.subarray(0, length)) === 'taken',
      );
      expect(accepted).to.deep.equal([]);
    });
  }

  it('is copied: what happens to the upload later does not reach it', () => {
    const upload = (plain['a PNG'] ?? join('')).slice();
    const image = readImage(upload, limits);
    upload.fill(0);
    expect(image.bytes).to.deep.equal(plain['a PNG']);
  });

  it('is read where it stands in a larger buffer', () => {
    const bytes = plain['an animated WebP'] ?? join('');
    const around = join('hello', bytes, 'hello');
    expect(cleaned(around.subarray(5, -5))).to.deep.equal(bytes);
  });
});
