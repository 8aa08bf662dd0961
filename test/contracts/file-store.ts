import { expect } from 'chai';
import type { FilePosition, FileStore } from '../../core/files/ports.ts';
import { type Opened, storeForEachTest } from './open-for-each-test.ts';
import { inRounds, race } from './race.ts';
import { refusesNonNumbers, refusesNonText } from './rejection.ts';
import { fileId, sampleFile } from './sample-files.ts';
import { NOW } from './samples.ts';

const idsOf = (files: readonly { readonly id: string }[]) => files.map(({ id }) => id);
const idsFrom = (...numbers: readonly number[]) => numbers.map(fileId);

export const fileStoreContract = (name: string, open: () => Promise<Opened<FileStore>>): void => {
  describe(`${name} as a file store`, () => {
    const store = storeForEachTest(open);

    const add = async (...numbers: readonly number[]) => {
      for (const number of numbers) await store.add(sampleFile(number));
    };
    const listIds = async (user = 'user') => idsOf(await store.list(user, null, 100));

    /** Reads all pages; the last record of each is the position of the next. */
    const readPages = async <T extends FilePosition>(
      list: (after: FilePosition | null) => Promise<readonly T[]>,
    ): Promise<readonly (readonly T[])[]> => {
      const pages: (readonly T[])[] = [];
      let after: FilePosition | null = null;
      for (;;) {
        const page: readonly T[] = await list(after);
        const last = page.at(-1);
        if (last === undefined) return pages;
        pages.push(page);
        after = { uploadedAt: last.uploadedAt, id: last.id };
      }
    };

    it('finds a record by its exact id and returns its entry unchanged', async () => {
      const entry = JSON.stringify({ text: 'Zażółć \u{1f98a} "\\" \n\u0000\u2028 é é' });
      expect(await store.add(sampleFile(1, { entry, user: 'Zoë' }))).to.equal(true);
      expect(await store.find(fileId(1))).to.equal(entry);
      expect(await store.find(fileId(2))).to.equal(undefined);
      expect(await store.find(fileId(1).toUpperCase())).to.equal(undefined);
      expect(await store.find('')).to.equal(undefined);
    });

    it('lists a record with its item unchanged', async () => {
      const item = JSON.stringify({ text: 'Zażółć \u{1f98a} "\\" \n\u0000\u2028 é é' });
      await store.add(sampleFile(1, { item }));
      expect((await store.list('user', null, 1))[0]?.item).to.equal(item);
    });

    it('refuses a second record with the same id and keeps the first', async () => {
      await store.add(sampleFile(1));
      expect(await store.add(sampleFile(1, { user: 'other', entry: '{}' }))).to.equal(false);
      expect(await store.find(fileId(1))).to.equal(sampleFile(1).entry);
      expect(await listIds('other')).to.deep.equal([]);
      expect(await store.totals()).to.deep.equal({ files: 1, bytes: 1_000 });
    });

    it('refuses the id of a removed record until that record is purged', async () => {
      await add(1);
      await store.remove(fileId(1));
      expect(await store.add(sampleFile(1))).to.equal(false);
      expect(await store.find(fileId(1))).to.equal(undefined);
      await store.purge(idsFrom(1));
      expect(await store.add(sampleFile(1, { user: 'other' }))).to.equal(true);
      expect(await listIds('other')).to.deep.equal(idsFrom(1));
    });

    it('finds the existing records among many ids, in the order of the ids', async () => {
      await add(1, 2, 3, 4);
      await store.remove(fileId(2));
      const records = await store.findAll(idsFrom(4, 9, 1, 2, 3));
      expect(records).to.deep.equal(
        [4, 1, 3].map((number) => ({ id: fileId(number), entry: sampleFile(number).entry })),
      );
      expect(await store.findAll([])).to.deep.equal([]);
      expect(await store.findAll(["'", '"', ']', ''])).to.deep.equal([]);
    });

    it('finds 150 records among 1,500 ids in one call', async () => {
      const numbers = Array.from({ length: 1_500 }, (_, place) => place);
      // More records than MongoDB sends in the first batch of a cursor.
      const existing = numbers.filter((number) => number % 10 === 0);
      await Promise.all(existing.map((number) => store.add(sampleFile(number))));
      const ids = numbers.toReversed().map(fileId);
      expect(idsOf(await store.findAll(ids))).to.deep.equal(existing.toReversed().map(fileId));
    });

    it("lists a user's records, newest first, and of equal times the greatest id first", async () => {
      await store.add(sampleFile(1, { uploadedAt: NOW }));
      await store.add(sampleFile(4, { uploadedAt: NOW }));
      await store.add(sampleFile(2, { uploadedAt: NOW + 1 }));
      await store.add(sampleFile(3, { uploadedAt: NOW }));
      await store.add(sampleFile(5, { user: 'other' }));
      expect(await listIds()).to.deep.equal(idsFrom(2, 4, 3, 1));
      const [first] = await store.list('user', null, 1);
      expect(first).to.deep.equal({ id: fileId(2), uploadedAt: NOW + 1, item: sampleFile(2).item });
    });

    it('lists each record exactly once in pages of any length', async () => {
      const numbers = Array.from({ length: 23 }, (_, place) => place);
      for (const number of numbers) {
        await store.add(sampleFile(number, { uploadedAt: NOW + Math.floor(number / 5) }));
      }
      const allIds = idsFrom(...numbers.toReversed());
      for (const limit of [1, 4, 5, 23, 50]) {
        const pages = await readPages((after) => store.list('user', after, limit));
        expect(idsOf(pages.flat())).to.deep.equal(allIds);
        expect(pages.every((page) => page.length <= limit)).to.equal(true);
        const sizes = await readPages((after) => store.listSizes('user', after, limit));
        expect(sizes.map(idsOf)).to.deep.equal(pages.map(idsOf));
      }
    });

    it('continues after a removed record, without records that were added meanwhile', async () => {
      await add(1, 2, 3, 4);
      await store.remove(fileId(3));
      await add(5);
      expect(idsOf(await store.list('user', { uploadedAt: NOW + 3, id: fileId(3) }, 9))).to.deep.equal(
        idsFrom(2, 1),
      );
    });

    it('lists the cache size of each record in the same order', async () => {
      await add(1, 2);
      expect(await store.listSizes('user', null, 9)).to.deep.equal([
        { id: fileId(2), uploadedAt: NOW + 2, bytes: 102 },
        { id: fileId(1), uploadedAt: NOW + 1, bytes: 101 },
      ]);
    });

    it('distinguishes users by every character', async () => {
      const users = [
        'a',
        'A',
        'a ',
        ' a',
        'a\0',
        'a\0b',
        '\u00e5',
        'a\u030a',
        'a%',
        '_',
        "a'--",
        '{"$gt":""}',
        '\u{1f98a}',
      ];
      for (const [number, user] of users.entries()) await store.add(sampleFile(number, { user }));
      for (const [number, user] of users.entries()) {
        expect(await listIds(user), JSON.stringify(user)).to.deep.equal(idsFrom(number));
      }
      expect(await store.removeSome('a', 99)).to.deep.equal(idsFrom(0));
      expect((await store.totals()).files).to.equal(users.length - 1);
    });

    it('returns whether a user has records', async () => {
      await add(1);
      expect(await store.has('user')).to.equal(true);
      expect(await store.has('other')).to.equal(false);
      await store.remove(fileId(1));
      expect(await store.has('user')).to.equal(false);
    });

    it('counts the records of all users and the bytes of their files', async () => {
      expect(await store.totals()).to.deep.equal({ files: 0, bytes: 0 });
      await store.add(sampleFile(1, { size: 0 }));
      await store.add(sampleFile(2, { size: 5_000_000_000_000, user: 'other' }));
      await store.add(sampleFile(3, { size: 7 }));
      expect(await store.totals()).to.deep.equal({ files: 3, bytes: 5_000_000_000_007 });
      await store.remove(fileId(2));
      expect(await store.totals()).to.deep.equal({ files: 2, bytes: 7 });
      for (let number = 10; number < 13; number += 1) {
        await store.add(sampleFile(number, { size: Number.MAX_SAFE_INTEGER }));
      }
      expect((await store.totals()).bytes).to.equal(3 * Number.MAX_SAFE_INTEGER + 7);
    });

    it('removes a record once', async () => {
      await add(1, 2);
      expect(await store.remove(fileId(1))).to.equal(true);
      expect(await store.remove(fileId(1))).to.equal(false);
      expect(await store.remove(fileId(9))).to.equal(false);
      expect(await listIds()).to.deep.equal(idsFrom(2));
    });

    it('lists a removed record only among the removed records', async () => {
      await add(1);
      await store.remove(fileId(1));
      expect(await store.find(fileId(1))).to.equal(undefined);
      expect(await store.findAll(idsFrom(1))).to.deep.equal([]);
      expect(await store.list('user', null, 9)).to.deep.equal([]);
      expect(await store.listSizes('user', null, 9)).to.deep.equal([]);
      expect(await store.removeSome('user', 9)).to.deep.equal([]);
      expect(await store.listRemoved(9)).to.deep.equal(idsFrom(1));
    });

    it("removes a user's records in batches, and no other user's records", async () => {
      await add(...Array.from({ length: 12 }, (_, number) => number));
      await store.add(sampleFile(99, { user: 'other' }));
      const pages: (readonly string[])[] = [];
      do pages.push(await store.removeSome('user', 5));
      while (pages.at(-1)?.length !== 0);
      expect(pages.map((page) => page.length)).to.deep.equal([5, 5, 2, 0]);
      expect(pages.flat().toSorted()).to.deep.equal(
        Array.from({ length: 12 }, (_, number) => fileId(number)),
      );
      expect(await store.listRemoved(99)).to.have.members(pages.flat());
      expect(await listIds('other')).to.deep.equal(idsFrom(99));
    });

    it('lists at most the requested number of removed records, until they are purged', async () => {
      await add(1, 2, 3, 4);
      for (const number of [1, 2, 3]) await store.remove(fileId(number));
      expect(await store.listRemoved(2)).to.have.length(2);
      await store.purge(idsFrom(1, 3));
      expect(await store.listRemoved(9)).to.deep.equal(idsFrom(2));
    });

    it('does not purge a record that was not removed', async () => {
      await add(1);
      await store.purge(idsFrom(1, 2));
      await store.purge([]);
      expect(await store.find(fileId(1))).to.not.equal(undefined);
    });

    it('adds exactly one of many concurrent records with the same id', () =>
      inRounds(async (round) => {
        const answers = await race(50, (place) =>
          store.add(sampleFile(round, { user: `user ${place}`, entry: `${place}` })),
        );
        expect(answers.filter((added) => added)).to.have.length(1);
        const winner = answers.indexOf(true);
        expect(await store.find(fileId(round))).to.equal(`${winner}`);
      }));

    it('lets exactly one of many concurrent removals of a record succeed', () =>
      inRounds(async (round) => {
        await add(round);
        const answers = await race(50, () => store.remove(fileId(round)));
        expect(answers.filter((removed) => removed)).to.have.length(1);
      }));

    it('returns each record from at most one of many concurrent batch removals', () =>
      inRounds(async (round) => {
        const numbers = Array.from({ length: 60 }, (_, place) => round * 100 + place);
        await add(...numbers);
        const answers = await race(50, async (place) => {
          if (place % 2 === 0) return store.removeSome('user', 3);
          const id = fileId(round * 100 + place);
          return (await store.remove(id)) ? [id] : [];
        });
        const removed = answers.flat();
        expect(new Set(removed).size).to.equal(removed.length);
        expect([...removed, ...(await listIds())]).to.have.members(numbers.map(fileId));
        await store.removeSome('user', 99);
      }));

    it('removes some records in each of many concurrent batch removals while there are enough', () =>
      inRounds(async (round) => {
        await add(...Array.from({ length: 60 }, (_, place) => round * 100 + place));
        const answers = await race(20, () => store.removeSome('user', 3));
        expect(answers.filter((removed) => removed.length === 0)).to.deep.equal([]);
        await store.removeSome('user', 99);
      }));

    it('rejects arguments of the wrong type with a `TypeError`', async () => {
      await add(1);
      await refusesNonText((value) => store.find(value));
      await refusesNonText((value) => store.findAll([value]));
      await refusesNonText((value) => store.add(sampleFile(2, { id: value })));
      await refusesNonText((value) => store.add(sampleFile(2, { user: value })));
      await refusesNonText((value) => store.add(sampleFile(2, { entry: value })));
      await refusesNonText((value) => store.add(sampleFile(2, { item: value })));
      await refusesNonNumbers((value) => store.add(sampleFile(2, { uploadedAt: value })));
      await refusesNonText((value) => store.list(value, null, 1));
      await refusesNonText((value) => store.list('user', { uploadedAt: NOW, id: value }, 1));
      await refusesNonNumbers((value) => store.list('user', { uploadedAt: value, id: fileId(1) }, 1));
      await refusesNonNumbers((value) => store.list('user', null, value));
      await refusesNonText((value) => store.listSizes(value, null, 1));
      await refusesNonText((value) => store.has(value));
      await refusesNonText((value) => store.remove(value));
      await refusesNonText((value) => store.removeSome(value, 1));
      await refusesNonNumbers((value) => store.removeSome('user', value));
      await refusesNonNumbers((value) => store.listRemoved(value));
      await refusesNonText((value) => store.purge([value]));
      expect(await listIds()).to.deep.equal(idsFrom(1));
    });
  });
};
