import { expect } from 'chai';
import type { AttemptsStore } from '../../core/accounts/ports.ts';
import { type Opened, storeForEachTest } from './open-for-each-test.ts';
import { inRounds, race } from './race.ts';
import { refusesNonNumbers, refusesNonText } from './rejection.ts';
import { NOW } from './samples.ts';

export const attemptsStoreContract = (name: string, open: () => Promise<Opened<AttemptsStore>>): void => {
  describe(`${name} as an attempts store`, () => {
    const store = storeForEachTest(open);

    it('finds no count for a key without attempts', async () => {
      await store.add('a', 1_000, NOW);
      expect(await store.find('b', NOW)).to.equal(undefined);
    });

    it('counts the attempts within a window that starts with the first attempt', async () => {
      expect(await store.add('a', 1_000, NOW)).to.deep.equal({ count: 1, firstAt: NOW });
      expect(await store.add('a', 1_000, NOW + 600)).to.deep.equal({ count: 2, firstAt: NOW });
      expect(await store.add('a', 1_000, NOW + 999)).to.deep.equal({ count: 3, firstAt: NOW });
      expect(await store.find('a', NOW + 999)).to.deep.equal({ count: 3, firstAt: NOW });
    });

    it('forgets a count when its window ends, and starts a new window with the next attempt', async () => {
      await store.add('a', 1_000, NOW);
      await store.add('a', 1_000, NOW + 900);
      expect(await store.find('a', NOW + 1_000)).to.equal(undefined);
      expect(await store.add('a', 1_000, NOW + 1_000)).to.deep.equal({ count: 1, firstAt: NOW + 1_000 });
      expect(await store.find('a', NOW + 1_999)).to.deep.equal({ count: 1, firstAt: NOW + 1_000 });
    });

    it('forgets a count if the clock is set back by more than its window, and starts another', async () => {
      const DAY = 86_400_000;
      await store.add('a', DAY, NOW);
      await store.add('a', DAY, NOW + 1);
      const now = NOW - 30 * DAY;
      expect(await store.find('a', now)).to.equal(undefined);
      expect(await store.add('a', DAY, now)).to.deep.equal({ count: 1, firstAt: now });
      expect(await store.find('a', now + DAY)).to.equal(undefined);
    });

    it('keeps counting if the clocks of two processes differ little', async () => {
      await store.add('a', 1_000, NOW);
      expect(await store.add('a', 1_000, NOW - 50)).to.deep.equal({ count: 2, firstAt: NOW });
      expect(await store.find('a', NOW - 50)).to.deep.equal({ count: 2, firstAt: NOW });
    });

    it('removes the counts of the given keys only', async () => {
      for (const key of ['a', 'b', 'c "x"', 'd']) await store.add(key, 1_000, NOW);
      await store.remove(['a', 'c "x"', 'unknown']);
      await store.remove([]);
      expect(await store.find('a', NOW)).to.equal(undefined);
      expect(await store.find('c "x"', NOW)).to.equal(undefined);
      expect(await store.find('b', NOW)).to.deep.equal({ count: 1, firstAt: NOW });
      expect(await store.find('d', NOW)).to.deep.equal({ count: 1, firstAt: NOW });
    });

    it('returns the highest count of the keys with a prefix, within their windows', async () => {
      for (const key of ['a:1', 'a:2', 'a:2', 'a:2', 'b:1', 'b:1']) await store.add(key, 1_000, NOW);
      await store.add('a:é', 2_000, NOW);
      await store.add('a:é', 2_000, NOW);
      expect(await store.most('a:', NOW + 999)).to.equal(3);
      expect(await store.most('a:', NOW + 1_000)).to.equal(2);
      expect(await store.most('b:', NOW)).to.equal(2);
      expect(await store.most('c:', NOW)).to.equal(0);
      expect(await store.most('a:', NOW - 86_400_000)).to.equal(0);
    });

    it('removes the counts of the keys with a prefix only', async () => {
      for (const key of ['a:', 'a:1', 'a:é', 'a', 'b:1', 'A:1']) await store.add(key, 1_000, NOW);
      await store.removeUnder('a:');
      await store.removeUnder('unknown:');
      expect(await store.most('a:', NOW)).to.equal(0);
      for (const key of ['a', 'b:1', 'A:1'])
        expect(await store.find(key, NOW)).to.deep.equal({ count: 1, firstAt: NOW });
    });

    it('sweeps counts whose window has ended, at most the requested number', async () => {
      for (const key of ['a', 'b', 'c']) await store.add(key, 1_000, NOW);
      await store.add('d', 2_000, NOW);
      expect(await store.sweep(NOW + 999, 10)).to.equal(0);
      expect(await store.sweep(NOW + 1_000, 2)).to.equal(2);
      expect(await store.sweep(NOW + 1_000, 2)).to.equal(1);
      expect(await store.find('d', NOW + 1_000)).to.deep.equal({ count: 1, firstAt: NOW });
    });

    it('counts every one of many concurrent attempts', () =>
      inRounds(async (round) => {
        const counts = await race(50, async () => (await store.add(`r${round}`, 1_000, NOW)).count);
        const sorted = counts.toSorted((a, b) => a - b);
        expect(sorted).to.deep.equal(Array.from({ length: 50 }, (_, place) => place + 1));
      }));

    it('counts under several keys in one call, and returns nothing below the limit of each', async () => {
      const counts = [
        { key: 'a', most: 2 },
        { key: 'b "x"', most: 3 },
      ];
      expect(await store.addInTurn(counts, 1_000, NOW)).to.equal(undefined);
      expect(await store.addInTurn(counts, 1_000, NOW + 1)).to.equal(undefined);
      for (const { key } of counts)
        expect(await store.find(key, NOW + 1)).to.deep.equal({ count: 2, firstAt: NOW });
      expect(await store.addInTurn([], 1_000, NOW)).to.equal(undefined);
    });

    it('returns the first count above its limit, and does not count the keys after it', async () => {
      const counts = ['a', 'b', 'c'].map((key, place) => ({ key, most: [9, 2, 0][place] ?? 0 }));
      await store.add('b', 1_000, NOW - 1);
      await store.add('b', 1_000, NOW - 1);
      for (const count of [3, 4])
        expect(await store.addInTurn(counts, 1_000, NOW)).to.deep.equal({ count, firstAt: NOW - 1 });
      expect((await store.find('a', NOW))?.count).to.equal(2);
      expect(await store.find('c', NOW)).to.equal(undefined);
      expect((await store.find('nobody:c', NOW))?.count).to.equal(2);
      // The window of the exceeded key has ended.
      expect(await store.addInTurn(counts, 1_000, NOW + 999)).to.deep.equal({ count: 1, firstAt: NOW + 999 });
      expect(await store.find('b', NOW + 999)).to.deep.equal({ count: 1, firstAt: NOW + 999 });
      expect(await store.find('c', NOW + 999)).to.deep.equal({ count: 1, firstAt: NOW + 999 });
    });

    it('lets no more concurrent calls count under the next key than the first key permits', async () => {
      const counts = [
        { key: 'first', most: 20 },
        { key: 'next', most: 99 },
      ];
      const exceeded = await race(50, () => store.addInTurn(counts, 1_000, NOW));
      expect(exceeded.filter((count) => count === undefined)).to.have.length(20);
      expect((await store.find('first', NOW))?.count).to.equal(50);
      expect((await store.find('next', NOW))?.count).to.equal(20);
    });

    it('rejects arguments of the wrong type with a `TypeError`', async () => {
      await store.add('a', 1_000, NOW);
      await refusesNonText((value) => store.find(value, NOW));
      await refusesNonText((value) => store.add(value, 1_000, NOW));
      await refusesNonText((value) => store.addInTurn([{ key: value, most: 1 }], 1_000, NOW));
      await refusesNonNumbers((value) => store.addInTurn([{ key: 'a', most: value }], 1_000, NOW));
      await refusesNonNumbers((value) => store.addInTurn([{ key: 'a', most: 9 }], value, NOW));
      await refusesNonNumbers((value) => store.addInTurn([{ key: 'a', most: 9 }], 1_000, value));
      await refusesNonText((value) => store.remove(['a', value]));
      await refusesNonText((value) => store.most(value, NOW));
      await refusesNonText((value) => store.removeUnder(value));
      await refusesNonNumbers((value) => store.find('a', value));
      await refusesNonNumbers((value) => store.most('a', value));
      await refusesNonNumbers((value) => store.add('a', value, NOW));
      await refusesNonNumbers((value) => store.add('a', 1_000, value));
      await refusesNonNumbers((value) => store.sweep(value, 1));
      await refusesNonNumbers((value) => store.sweep(NOW, value));
      expect(await store.find('a', NOW)).to.deep.equal({ count: 1, firstAt: NOW });
    });
  });
};
