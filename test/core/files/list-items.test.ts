import { expect } from 'chai';
import fc from 'fast-check';
import { itemOfEntry, readItem, storedFile } from '../../../core/files/file-record.ts';
import { makeListWithItems, type StoredRecord } from '../../../core/files/missing-items.ts';
import type { FilePosition } from '../../../core/files/ports.ts';

const kms = { keyOf: () => undefined };

/** Texts that a careless parser may mistake for JSON members, raw and as JSON strings. */
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
    fc.oneof(fc.constantFrom(...SEQUENCES, ...SEQUENCES.map((text) => JSON.stringify(text))), fc.string()),
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

describe('The item of a record', () => {
  it('has the members of its entry except the wrapped key, with any content', () => {
    fc.assert(
      fc.property(files, (file) => {
        const { id, filenameEnc, size, mimeType, thumb, uploadedAt } = file;
        const uploadedDate = new Date(uploadedAt).toISOString();
        const { item } = storedFile(file, kms);
        expect(item).to.equal(JSON.stringify({ id, filenameEnc, size, mimeType, thumb, uploadedDate }));
        expect(readItem(item)).to.deep.equal({ id, filenameEnc, size, mimeType, thumb, uploadedDate });
      }),
    );
  });

  it('equals the item made from the entry if an earlier version stored none', () => {
    fc.assert(
      fc.property(files, (file) => {
        const { entry, item } = storedFile(file, kms);
        expect(itemOfEntry(entry)).to.equal(item);
      }),
    );
  });
});

describe('A page of records that an earlier version stored', () => {
  const storedFiles = [1, 2, 3].map((number) =>
    storedFile(
      {
        id: `id ${number}`,
        filenameEnc: 'n',
        size: number,
        user: 'u',
        mimeType: 'a/b',
        dekEnc: 'd',
        thumb: true,
        uploadedAt: number,
      },
      kms,
    ),
  );
  const complete = storedFiles.map(({ id, uploadedAt, item }) => ({ id, uploadedAt, item }));
  const [first, , third] = complete;
  const withoutItem = complete.map((record) => (record === first ? record : { ...record, item: undefined }));
  const findAll = async (ids: readonly string[]) => storedFiles.filter(({ id }) => ids.includes(id));
  /** Returns pages of the records in the order of `storedFiles`. */
  const pagesOf =
    (records: readonly StoredRecord[]) => (_: string, after: FilePosition | null, limit: number) => {
      const from = after === null ? 0 : records.findIndex(({ id }) => id === after.id) + 1;
      return Promise.resolve(records.slice(from, from + limit));
    };

  it('is completed, and the created items are stored', async () => {
    const storedItems: unknown[] = [];
    const keep = async (items: readonly unknown[]) => storedItems.push(...items);
    const list = makeListWithItems(pagesOf(withoutItem), findAll, keep);
    expect(await list('u', null, 3)).to.deep.equal(complete);
    expect(storedItems).to.deep.equal(complete.slice(1).map(({ id, item }) => ({ id, item })));
    expect(await makeListWithItems(pagesOf(complete), findAll, keep)('u', null, 3)).to.deep.equal(complete);
    expect(storedItems).to.have.length(2);
  });

  it('is returned without waiting for the write of its items, even if the write fails', async () => {
    let calls = 0;
    let fail: (error: Error) => void = () => undefined;
    const list = makeListWithItems(pagesOf(withoutItem), findAll, () => {
      calls += 1;
      return new Promise((_, reject) => {
        fail = reject;
      });
    });
    expect(await list('u', null, 3)).to.deep.equal(complete);
    expect(await list('u', null, 3)).to.deep.equal(complete);
    expect(calls, 'one write at a time').to.equal(1);
    fail(new Error('read-only'));
    await Promise.resolve();
    await Promise.resolve();
    expect(await list('u', null, 3)).to.deep.equal(complete);
    expect(calls).to.equal(2);
  });

  it('omits a record that is removed meanwhile, and is filled with the next records', async () => {
    const list = makeListWithItems(
      pagesOf(withoutItem),
      async (ids) => (await findAll(ids)).filter(({ id }) => id !== 'id 2'),
      async () => undefined,
    );
    expect(await list('u', null, 3)).to.deep.equal([first, third]);
    // A page of one instead of two records would end the list.
    expect(await list('u', null, 2)).to.deep.equal([first, third]);
  });
});
