import { expect } from 'chai';
import fc from 'fast-check';
import { listedFile, listedText, type SingleFile, storedFile } from '../../../core/files/file-record.ts';

const kms = { keyOf: () => undefined };

/** What might be taken for the members that are looked for, whole or cut, as it is and as it looks in JSON. */
const SEQUENCES = [
  ',"dekEnc":',
  '","dekEnc":"',
  ',"thumbs":{"mobile":true,"web":true,"webPre":true}',
  '","thumbs":{"mobile":false,"web":false,"webPre":false}',
  '"uploadedDate":"',
  '{"id":"',
  '\\',
  '\\"',
  '"',
  ',',
  ',"',
  '\n',
  '\u2028',
  'ż',
  '\u{1F600}',
  '\0',
];
const hostile = fc
  .array(
    fc.oneof(fc.constantFrom(...SEQUENCES, ...SEQUENCES.map((one) => JSON.stringify(one))), fc.string()),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(''));

const files = fc.record({
  id: fc.uuid({ version: 7 }),
  filenameEnc: hostile,
  size: fc.maxSafeNat(),
  user: hostile,
  mimeType: fc.constantFrom('image/png', 'a/b'),
  dekEnc: hostile,
  thumb: fc.boolean(),
  uploadedAt: fc.integer({ min: 0, max: 8_640_000_000_000_000 }),
});

describe('The text of an item of a list', () => {
  it('is to the letter what reading the entry and writing the item gives, whatever stands in its texts', () => {
    fc.assert(
      fc.property(files, (file) => {
        const { entry } = storedFile(file, kms);
        expect(listedText(entry)).to.equal(JSON.stringify(listedFile(entry)));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is cut out of the entry, not written anew', () => {
    const { entry } = storedFile(
      {
        id: 'i',
        filenameEnc: 'n',
        size: 1,
        user: 'u',
        mimeType: 'a/b',
        dekEnc: 'd',
        thumb: true,
        uploadedAt: 0,
      },
      kms,
    );
    // What JSON.stringify would never write.
    expect(listedText(entry.replace('"n"', '"\\u006e"'))).to.include('"\\u006e"');
  });

  it('is right for an entry of another form, too', () => {
    const known: SingleFile = {
      id: 'i',
      filenameEnc: ',"dekEnc":"',
      size: 1,
      mimeType: 'a/b',
      dekEnc: 'ends in a comma,',
      thumbs: { mobile: true, web: true, webPre: true },
      uploadedDate: '2026-01-01T00:00:00.000Z',
    };
    const { thumbs, dekEnc, ...rest } = known;
    const others = [
      { dekEnc, thumbs, ...rest },
      { ...rest, thumbs, dekEnc },
      { thumbs, ...rest, dekEnc },
      { ...rest, dekEnc, more: '', thumbs },
      { ...rest, dekEnc, thumbs: { web: true, mobile: true, webPre: true } },
      { ...rest, dekEnc, thumbs: { mobile: false, web: true, webPre: false } },
    ];
    for (const one of others) {
      for (const entry of [JSON.stringify(one), JSON.stringify(one, undefined, 2)])
        expect(JSON.parse(listedText(entry))).to.deep.equal(listedFile(entry));
    }
  });
});
