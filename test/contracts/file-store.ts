import { expect } from 'chai';
import type { FilePosition, FileStore } from '../../core/files/ports.ts';
import { type Opened, storeForEachTest } from './opened.ts';
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
    const listed = async (user = 'user') => idsOf(await store.list(user, null, 100));

    /** Page after page until there is none, with the last of each as the position of the next. */
    const inPages = async <T extends FilePosition>(
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

    it('finds a record by its id, its entry to the letter', async () => {
      const entry = JSON.stringify({ text: 'Zażółć \u{1f98a} "\\" \n\u0000\u2028 é é' });
      expect(await store.add(sampleFile(1, { entry, user: 'Zoë' }))).to.equal(true);
      expect(await store.find(fileId(1))).to.equal(entry);
      expect(await store.find(fileId(2))).to.equal(undefined);
      expect(await store.find(fileId(1).toUpperCase())).to.equal(undefined);
      expect(await store.find('')).to.equal(undefined);
    });

    it('lists a record with its item, to the letter', async () => {
      const item = JSON.stringify({ text: 'Zażółć \u{1f98a} "\\" \n\u0000\u2028 é é' });
      await store.add(sampleFile(1, { item }));
      expect((await store.list('user', null, 1))[0]?.item).to.equal(item);
    });

    it('adds no second record with an id, and keeps the first as it is', async () => {
      await store.add(sampleFile(1));
      expect(await store.add(sampleFile(1, { user: 'other', entry: '{}' }))).to.equal(false);
      expect(await store.find(fileId(1))).to.equal(sampleFile(1).entry);
      expect(await listed('other')).to.deep.equal([]);
      expect(await store.totals()).to.deep.equal({ files: 1, bytes: 1_000 });
    });

    it('adds no record with the id of a removed one until that is purged', async () => {
      await add(1);
      await store.remove(fileId(1));
      expect(await store.add(sampleFile(1))).to.equal(false);
      expect(await store.find(fileId(1))).to.equal(undefined);
      await store.purge(idsFrom(1));
      expect(await store.add(sampleFile(1, { user: 'other' }))).to.equal(true);
      expect(await listed('other')).to.deep.equal(idsFrom(1));
    });

    it('finds those of many that are there, in the order asked for', async () => {
      await add(1, 2, 3, 4);
      await store.remove(fileId(2));
      const found = await store.findAll(idsFrom(4, 9, 1, 2, 3));
      expect(found).to.deep.equal(
        [4, 1, 3].map((number) => ({ id: fileId(number), entry: sampleFile(number).entry })),
      );
      expect(await store.findAll([])).to.deep.equal([]);
      expect(await store.findAll(["'", '"', ']', ''])).to.deep.equal([]);
    });

    it('finds as many at once as a page may have', async () => {
      const numbers = Array.from({ length: 1_500 }, (_, place) => place);
      // More than a driver gets with its first answer.
      const there = numbers.filter((number) => number % 10 === 0);
      await Promise.all(there.map((number) => store.add(sampleFile(number))));
      const ids = numbers.toReversed().map(fileId);
      expect(idsOf(await store.findAll(ids))).to.deep.equal(there.toReversed().map(fileId));
    });

    it("lists a user's records, newest first, then by id, the greatest first", async () => {
      await store.add(sampleFile(1, { uploadedAt: NOW }));
      await store.add(sampleFile(4, { uploadedAt: NOW }));
      await store.add(sampleFile(2, { uploadedAt: NOW + 1 }));
      await store.add(sampleFile(3, { uploadedAt: NOW }));
      await store.add(sampleFile(5, { user: 'other' }));
      expect(await listed()).to.deep.equal(idsFrom(2, 4, 3, 1));
      const [first] = await store.list('user', null, 1);
      expect(first).to.deep.equal({ id: fileId(2), uploadedAt: NOW + 1, item: sampleFile(2).item });
    });

    it('lists in pages of any length without a record left out or given twice', async () => {
      const numbers = Array.from({ length: 23 }, (_, place) => place);
      for (const number of numbers) {
        await store.add(sampleFile(number, { uploadedAt: NOW + Math.floor(number / 5) }));
      }
      const whole = idsFrom(...numbers.toReversed());
      for (const limit of [1, 4, 5, 23, 50]) {
        const pages = await inPages((after) => store.list('user', after, limit));
        expect(idsOf(pages.flat())).to.deep.equal(whole);
        expect(pages.every((page) => page.length <= limit)).to.equal(true);
        const sizes = await inPages((after) => store.listSizes('user', after, limit));
        expect(sizes.map(idsOf)).to.deep.equal(pages.map(idsOf));
      }
    });

    it('goes on behind a record that is gone by now, and past none that came meanwhile', async () => {
      await add(1, 2, 3, 4);
      await store.remove(fileId(3));
      await add(5);
      expect(idsOf(await store.list('user', { uploadedAt: NOW + 3, id: fileId(3) }, 9))).to.deep.equal(
        idsFrom(2, 1),
      );
    });

    it('lists what each takes in a cache in the same order', async () => {
      await add(1, 2);
      expect(await store.listSizes('user', null, 9)).to.deep.equal([
        { id: fileId(2), uploadedAt: NOW + 2, bytes: 102 },
        { id: fileId(1), uploadedAt: NOW + 1, bytes: 101 },
      ]);
    });

    it('tells users apart by every character', async () => {
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
        expect(await listed(user), JSON.stringify(user)).to.deep.equal(idsFrom(number));
      }
      expect(await store.removeSome('a', 99)).to.deep.equal(idsFrom(0));
      expect((await store.totals()).files).to.equal(users.length - 1);
    });

    it('tells whether a user has any', async () => {
      await add(1);
      expect(await store.has('user')).to.equal(true);
      expect(await store.has('other')).to.equal(false);
      await store.remove(fileId(1));
      expect(await store.has('user')).to.equal(false);
    });

    it('totals the records of all users and the bytes of their files', async () => {
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
      expect(await listed()).to.deep.equal(idsFrom(2));
    });

    it('finds a removed record in nothing but the list of the removed', async () => {
      await add(1);
      await store.remove(fileId(1));
      expect(await store.find(fileId(1))).to.equal(undefined);
      expect(await store.findAll(idsFrom(1))).to.deep.equal([]);
      expect(await store.list('user', null, 9)).to.deep.equal([]);
      expect(await store.listSizes('user', null, 9)).to.deep.equal([]);
      expect(await store.removeSome('user', 9)).to.deep.equal([]);
      expect(await store.listRemoved(9)).to.deep.equal(idsFrom(1));
    });

    it("removes a user's records some at a time until all are gone, and no other's", async () => {
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
      expect(await listed('other')).to.deep.equal(idsFrom(99));
    });

    it('lists as many of the removed as asked for, until they are purged', async () => {
      await add(1, 2, 3, 4);
      for (const number of [1, 2, 3]) await store.remove(fileId(number));
      expect(await store.listRemoved(2)).to.have.length(2);
      await store.purge(idsFrom(1, 3));
      expect(await store.listRemoved(9)).to.deep.equal(idsFrom(2));
    });

    it('purges no record that was not removed', async () => {
      await add(1);
      await store.purge(idsFrom(1, 2));
      await store.purge([]);
      expect(await store.find(fileId(1))).to.not.equal(undefined);
    });

    it('adds one of many parallel records with the same id', () =>
      inRounds(async (round) => {
        const answers = await race(50, (place) =>
          store.add(sampleFile(round, { user: `user ${place}`, entry: `${place}` })),
        );
        expect(answers.filter((added) => added)).to.have.length(1);
        const winner = answers.indexOf(true);
        expect(await store.find(fileId(round))).to.equal(`${winner}`);
      }));

    it('gives exactly one of many parallel removals the record', () =>
      inRounds(async (round) => {
        await add(round);
        const answers = await race(50, () => store.remove(fileId(round)));
        expect(answers.filter((removed) => removed)).to.have.length(1);
      }));

    it('gives each record to one of many parallel removals of some', () =>
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
        expect([...removed, ...(await listed())]).to.have.members(numbers.map(fileId));
        await store.removeSome('user', 99);
      }));

    it('gives some to each of many parallel removals as long as there are enough', () =>
      inRounds(async (round) => {
        await add(...Array.from({ length: 60 }, (_, place) => round * 100 + place));
        const answers = await race(20, () => store.removeSome('user', 3));
        expect(answers.filter((removed) => removed.length === 0)).to.deep.equal([]);
        await store.removeSome('user', 99);
      }));

    it('refuses anything but text and numbers in what it looks for', async () => {
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
      expect(await listed()).to.deep.equal(idsFrom(1));
    });
  });
};
