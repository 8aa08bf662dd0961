import { expect } from 'chai';
import type { Accesses, ActivityPosition, FileActivity, FileStore } from '../../core/files/ports.ts';
import { type Opened, openForEachTest } from './open-for-each-test.ts';
import { inRounds, race } from './race.ts';
import { refusesNonNumbers, refusesNonText } from './rejection.ts';
import { fileId, sampleFile } from './sample-files.ts';
import { NOW } from './samples.ts';

const ALL = 0;

export const fileActivityContract = (
  name: string,
  open: () => Promise<Opened<{ readonly activity: FileActivity; readonly files: FileStore }>>,
): void => {
  describe(`${name} as a file activity store`, () => {
    let activity: FileActivity;
    let files: FileStore;

    let marks = 0;
    const add = (accesses: readonly Accesses[]) => {
      marks += 1;
      return activity.add(accesses, `mark ${marks}`);
    };

    /** Adds a record with `count` reads, the last one at `lastAt`. */
    const addRead = async (number: number, count: number, lastAt = NOW, user = 'user') => {
      await files.add(sampleFile(number, { user }));
      await add([{ id: fileId(number), count, lastAt }]);
    };
    const list = (since = ALL, limit = 100) => activity.list('user', since, null, limit);
    const numbersOf = (records: readonly { readonly id: string }[]) =>
      records.map(({ id }) => Number.parseInt(id.slice(-12), 16));
    openForEachTest(open, (opened) => {
      ({ activity, files } = opened.store);
    });

    it('lists each record with its read count, its last read and its cache size', async () => {
      await addRead(1, 3, NOW + 7);
      expect(await list()).to.deep.equal([
        { id: fileId(1), accesses: 3, accessedAt: NOW + 7, bytes: sampleFile(1).bytes },
      ]);
    });

    it('adds read counts and keeps the latest time, in any order of the calls', async () => {
      await addRead(1, 3, NOW + 7);
      await add([{ id: fileId(1), count: 2, lastAt: NOW + 5 }]);
      expect(await list()).to.deep.include.members([
        { id: fileId(1), accesses: 5, accessedAt: NOW + 7, bytes: 101 },
      ]);
      await add([{ id: fileId(1), count: 1, lastAt: NOW + 9 }]);
      expect((await list())[0]).to.include({ accesses: 6, accessedAt: NOW + 9 });
    });

    it('counts the reads of many records at once, and ignores unknown records', async () => {
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

    it('accepts an empty batch, and a batch of more than ten thousand records', async () => {
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

    it('lists the most read records first, then the most recently read, then by id', async () => {
      await addRead(1, 2, NOW);
      await addRead(5, 2, NOW + 1);
      await addRead(4, 2, NOW);
      await addRead(3, 7, NOW - 9);
      await addRead(2, 2, NOW);
      await addRead(6, 1, NOW + 50);
      expect(numbersOf(await list())).to.deep.equal([3, 5, 1, 2, 4, 6]);
    });

    it('lists each record exactly once in pages of any length, for every start time', async () => {
      for (let number = 0; number < 30; number += 1) {
        await addRead(number, 1 + (number % 3), NOW + (number % 2));
      }
      for (const [since, length] of [
        [ALL, 30],
        [NOW + 1, 15],
      ] as const) {
        const allReads = await list(since);
        expect(allReads).to.have.length(length);
        for (const limit of [1, 4, 7, 30]) {
          const reads: ActivityPosition[] = [];
          let after: ActivityPosition | null = null;
          for (;;) {
            const page: readonly ActivityPosition[] = await activity.list('user', since, after, limit);
            reads.push(...page);
            const last = page.at(-1);
            if (last === undefined) break;
            after = { id: last.id, accesses: last.accesses, accessedAt: last.accessedAt };
          }
          expect(reads).to.deep.equal(allReads);
        }
      }
    });

    it('lists records whose last read is at or after a time', async () => {
      for (const [number, lastAt] of [99, 100, 150].entries()) await addRead(number, 1, lastAt);
      expect(numbersOf(await list(100))).to.deep.equal([2, 1]);
      expect(numbersOf(await list(0))).to.have.length(3);
      expect(await list(151)).to.deep.equal([]);
    });

    it('finds active records behind many records that have more but older reads', async () => {
      for (let number = 0; number < 20; number += 1) await addRead(number, 100, 50);
      await addRead(21, 2, NOW);
      await addRead(22, 1, NOW);
      expect(numbersOf(await list(51, 1))).to.deep.equal([21]);
    });

    it('lists no record that was never read, was removed or belongs to another user', async () => {
      await files.add(sampleFile(1));
      await addRead(2, 5);
      await files.remove(fileId(2));
      await addRead(3, 5, NOW, 'other');
      await addRead(4, 1);
      expect(numbersOf(await list())).to.deep.equal([4]);
    });

    it('counts every one of many concurrent reads', () =>
      inRounds(async (round) => {
        await files.add(sampleFile(round));
        await race(50, (place) => add([{ id: fileId(round), count: 2, lastAt: NOW + place }]));
        expect((await list()).find(({ id }) => id === fileId(round))).to.include({
          accesses: 100,
          accessedAt: NOW + 49,
        });
      }));

    it('counts a batch once if it is repeated, even after other batches', async () => {
      for (const number of [1, 2]) await files.add(sampleFile(number));
      const batch = [{ id: fileId(1), count: 3, lastAt: NOW }];
      await activity.add(batch, 'given twice');
      for (let other = 0; other < 9; other += 1)
        await add([1, 2].map((number) => ({ ...batch[0], id: fileId(number), count: 1, lastAt: NOW })));
      await activity.add(batch, 'given twice');
      expect((await list()).map(({ accesses }) => accesses)).to.deep.equal([12, 9]);
    });

    it('rejects arguments of the wrong type with a `TypeError`', async () => {
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
