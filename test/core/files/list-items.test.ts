import { expect } from 'chai';
import fc from 'fast-check';
import { itemOfEntry, readItem, storedFile } from '../../../core/files/file-record.ts';
import { makeListWithItems, type StoredRecord } from '../../../core/files/missing-items.ts';
import type { FilePosition } from '../../../core/files/ports.ts';

const kms = { keyOf: () => undefined };

/** What might be taken for members of the JSON, as it is and as it looks in JSON. */
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
  it('has the members of its entry but for the wrapped key, whatever stands in them', () => {
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

  it('is to the letter what is made of the entry where an earlier version left none', () => {
    fc.assert(
      fc.property(files, (file) => {
        const { entry, item } = storedFile(file, kms);
        expect(itemOfEntry(entry)).to.equal(item);
      }),
    );
  });
});

describe('A page of records that an earlier version stored', () => {
  const stored = [1, 2, 3].map((number) =>
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
  const listed = stored.map(({ id, uploadedAt, item }) => ({ id, uploadedAt, item }));
  const [first, , third] = listed;
  const withoutItem = listed.map((record) => (record === first ? record : { ...record, item: undefined }));
  const findAll = async (ids: readonly string[]) => stored.filter(({ id }) => ids.includes(id));
  /** Pages of the list as it was stored: in the order of `stored`. */
  const pagesOf =
    (records: readonly StoredRecord[]) => (_: string, after: FilePosition | null, limit: number) => {
      const from = after === null ? 0 : records.findIndex(({ id }) => id === after.id) + 1;
      return Promise.resolve(records.slice(from, from + limit));
    };

  it('is completed, and what is made is kept', async () => {
    const storedItems: unknown[] = [];
    const keep = async (items: readonly unknown[]) => storedItems.push(...items);
    const list = makeListWithItems(pagesOf(withoutItem), findAll, keep);
    expect(await list('u', null, 3)).to.deep.equal(listed);
    expect(storedItems).to.deep.equal(listed.slice(1).map(({ id, item }) => ({ id, item })));
    expect(await makeListWithItems(pagesOf(listed), findAll, keep)('u', null, 3)).to.deep.equal(listed);
    expect(storedItems).to.have.length(2);
  });

  it('is answered where nothing can be kept, and does not wait for it', async () => {
    let calls = 0;
    let fail: (error: Error) => void = () => undefined;
    const list = makeListWithItems(pagesOf(withoutItem), findAll, () => {
      calls += 1;
      return new Promise((_, reject) => {
        fail = reject;
      });
    });
    expect(await list('u', null, 3)).to.deep.equal(listed);
    expect(await list('u', null, 3)).to.deep.equal(listed);
    expect(calls, 'one at a time').to.equal(1);
    fail(new Error('read-only'));
    await Promise.resolve();
    await Promise.resolve();
    expect(await list('u', null, 3)).to.deep.equal(listed);
    expect(calls).to.equal(2);
  });

  it('leaves out a record that is removed meanwhile, and is as long as if it had never been', async () => {
    const list = makeListWithItems(
      pagesOf(withoutItem),
      async (ids) => (await findAll(ids)).filter(({ id }) => id !== 'id 2'),
      async () => undefined,
    );
    expect(await list('u', null, 3)).to.deep.equal([first, third]);
    // A page of two that came back with one would end the whole list.
    expect(await list('u', null, 2)).to.deep.equal([first, third]);
  });
});
