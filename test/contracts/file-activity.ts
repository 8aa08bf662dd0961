import { expect } from 'chai';
import type { Accesses, ActivityPosition, FileActivity, FileStore } from '../../core/files/ports.ts';
import { type Opened, openForEachTest } from './opened.ts';
import { inRounds, race } from './race.ts';
import { refusesNonNumbers, refusesNonText } from './rejection.ts';
import { fileId, sampleFile } from './sample-files.ts';
import { NOW } from './samples.ts';

const ALL = 0;

export const fileActivityContract = (
  name: string,
  open: () => Promise<Opened<{ readonly activity: FileActivity; readonly files: FileStore }>>,
): void => {
  describe(`${name} as a count of reads`, () => {
    let activity: FileActivity;
    let files: FileStore;

    let marks = 0;
    const add = (accesses: readonly Accesses[]) => {
      marks += 1;
      return activity.add(accesses, `mark ${marks}`);
    };

    /** Adds a record, read so often and last at that time. */
    const addRead = async (number: number, count: number, lastAt = NOW, user = 'user') => {
      await files.add(sampleFile(number, { user }));
      await add([{ id: fileId(number), count, lastAt }]);
    };
    const list = (since = ALL, limit = 100) => activity.list('user', since, null, limit);
    const numbersOf = (found: readonly { readonly id: string }[]) =>
      found.map(({ id }) => Number.parseInt(id.slice(-12), 16));
    openForEachTest(open, (opened) => {
      ({ activity, files } = opened.store);
    });

    it('gives each record with its count, its last read and what it takes in a cache', async () => {
      await addRead(1, 3, NOW + 7);
      expect(await list()).to.deep.equal([
        { id: fileId(1), accesses: 3, accessedAt: NOW + 7, bytes: sampleFile(1).bytes },
      ]);
    });

    it('adds to the counts and keeps the latest time, in whatever order they come', async () => {
      await addRead(1, 3, NOW + 7);
      await add([{ id: fileId(1), count: 2, lastAt: NOW + 5 }]);
      expect(await list()).to.deep.include.members([
        { id: fileId(1), accesses: 5, accessedAt: NOW + 7, bytes: 101 },
      ]);
      await add([{ id: fileId(1), count: 1, lastAt: NOW + 9 }]);
      expect((await list())[0]).to.include({ accesses: 6, accessedAt: NOW + 9 });
    });

    it('counts many records at once, and passes over those that are not there', async () => {
      for (const number of [1, 2, 3]) await files.add(sampleFile(number));
      await files.remove(fileId(2));
      await add([9, 3, 2, 1].map((number) => ({ id: fileId(number), count: number, lastAt: NOW })));
      expect((await list()).map(({ id, accesses }) => [id, accesses])).to.deep.equal([
        [fileId(3), 3],
        [fileId(1), 1],
      ]);
      await files.purge([fileId(2)]);
      await files.add(sampleFile(2));
      expect(numbersOf(await list())).to.deep.equal([3, 1]);
    });

    it('takes none at all, and more than ten thousand', async () => {
      await add([]);
      await files.add(sampleFile(1));
      const many = Array.from({ length: 10_001 }, (_, number) => ({
        id: fileId(number),
        count: 1,
        lastAt: NOW,
      }));
      await add(many);
      expect(numbersOf(await list())).to.deep.equal([1]);
    });

    it('lists most accesses first, then the most recent, then by id', async () => {
      await addRead(1, 2, NOW);
      await addRead(5, 2, NOW + 1);
      await addRead(4, 2, NOW);
      await addRead(3, 7, NOW - 9);
      await addRead(2, 2, NOW);
      await addRead(6, 1, NOW + 50);
      expect(numbersOf(await list())).to.deep.equal([3, 5, 1, 2, 4, 6]);
    });

    it('lists in pages of any length without a record left out or given twice, also where half are of long ago', async () => {
      for (let number = 0; number < 30; number += 1) {
        await addRead(number, 1 + (number % 3), NOW + (number % 2));
      }
      for (const [since, length] of [
        [ALL, 30],
        [NOW + 1, 15],
      ] as const) {
        const whole = await list(since);
        expect(whole).to.have.length(length);
        for (const limit of [1, 4, 7, 30]) {
          const found: ActivityPosition[] = [];
          let after: ActivityPosition | null = null;
          for (;;) {
            const page: readonly ActivityPosition[] = await activity.list('user', since, after, limit);
            found.push(...page);
            const last = page.at(-1);
            if (last === undefined) break;
            after = { id: last.id, accesses: last.accesses, accessedAt: last.accessedAt };
          }
          expect(found).to.deep.equal(whole);
        }
      }
    });

    it('lists those whose last read was then or later', async () => {
      for (const [number, lastAt] of [99, 100, 150].entries()) await addRead(number, 1, lastAt);
      expect(numbersOf(await list(100))).to.deep.equal([2, 1]);
      expect(numbersOf(await list(0))).to.have.length(3);
      expect(await list(151)).to.deep.equal([]);
    });

    it('finds the active ones however many busier ones were read too long ago', async () => {
      for (let number = 0; number < 20; number += 1) await addRead(number, 100, 50);
      await addRead(21, 2, NOW);
      await addRead(22, 1, NOW);
      expect(numbersOf(await list(51, 1))).to.deep.equal([21]);
    });

    it('lists no record that was never read, was removed, or is of another user', async () => {
      await files.add(sampleFile(1));
      await addRead(2, 5);
      await files.remove(fileId(2));
      await addRead(3, 5, NOW, 'other');
      await addRead(4, 1);
      expect(numbersOf(await list())).to.deep.equal([4]);
    });

    it('loses no count of many parallel ones', () =>
      inRounds(async (round) => {
        await files.add(sampleFile(round));
        await race(50, (place) => add([{ id: fileId(round), count: 2, lastAt: NOW + place }]));
        expect((await list()).find(({ id }) => id === fileId(round))).to.include({
          accesses: 100,
          accessedAt: NOW + 49,
        });
      }));

    it('counts a batch once, however often it is given, and whoever counts in between', async () => {
      for (const number of [1, 2]) await files.add(sampleFile(number));
      const batch = [{ id: fileId(1), count: 3, lastAt: NOW }];
      await activity.add(batch, 'given twice');
      for (let other = 0; other < 9; other += 1)
        await add([1, 2].map((number) => ({ ...batch[0], id: fileId(number), count: 1, lastAt: NOW })));
      await activity.add(batch, 'given twice');
      expect((await list()).map(({ accesses }) => accesses)).to.deep.equal([12, 9]);
    });

    it('refuses anything but text and numbers', async () => {
      await files.add(sampleFile(1));
      await refusesNonText((value) => activity.add([{ id: fileId(1), count: 1, lastAt: NOW }], value));
      await refusesNonText((value) => add([{ id: value, count: 1, lastAt: NOW }]));
      await refusesNonNumbers((value) => add([{ id: fileId(1), count: value, lastAt: NOW }]));
      await refusesNonNumbers((value) => add([{ id: fileId(1), count: 1, lastAt: value }]));
      await refusesNonText((value) => activity.list(value, ALL, null, 1));
      await refusesNonNumbers((value) => activity.list('user', value, null, 1));
      await refusesNonNumbers((value) => activity.list('user', ALL, null, value));
      expect(await list()).to.deep.equal([]);
    });
  });
};
