import { expect } from 'chai';
import type { CountedDay, Statistics } from '../../core/daily-statistics.ts';
import { type Opened, storeForEachTest } from './open-for-each-test.ts';
import { race } from './race.ts';
import { refusesNonNumbers, refusesNonText } from './rejection.ts';

export const sampleDay = (day: string, differences: Partial<CountedDay> = {}): CountedDay => ({
  day,
  signUps: 3,
  verified: 2,
  total: 10,
  byTier: { free: 7, 'pro-lite': 3 },
  active1: 1,
  active7: 4,
  active30: 9,
  mailWaitingMost: 5,
  mailDead: 1,
  ...differences,
});

const NO_READS = { cacheHits: 0, cacheMisses: 0 };

export const statisticsContract = (name: string, open: () => Promise<Opened<Statistics>>): void => {
  describe(`${name} as a statistics store`, () => {
    const statistics = storeForEachTest(open);
    const listDays = async (from = '2000-01-01') => (await statistics.list(from, 500)).map(({ day }) => day);

    it('lists days in order, from a day on and up to a limit', async () => {
      expect(await statistics.list('2026-01-01', 10)).to.deep.equal([]);
      for (const day of ['2026-01-03', '2026-01-01', '2026-01-02']) await statistics.put(sampleDay(day));
      expect(await statistics.list('2026-01-02', 10)).to.deep.equal([
        { ...sampleDay('2026-01-02'), ...NO_READS },
        { ...sampleDay('2026-01-03'), ...NO_READS },
      ]);
      expect((await statistics.list('2026-01-01', 2)).map(({ day }) => day)).to.deep.equal([
        '2026-01-01',
        '2026-01-02',
      ]);
    });

    it('replaces the counts of a day, and keeps the highest number of waiting mails', async () => {
      await statistics.put(sampleDay('2026-01-01'));
      await statistics.put(sampleDay('2026-01-01', { signUps: 8, byTier: { pro: 1 }, mailWaitingMost: 2 }));
      await statistics.put(sampleDay('2026-01-02', { mailWaitingMost: 0 }));
      await statistics.put(sampleDay('2026-01-02', { mailWaitingMost: 6 }));
      expect(await statistics.list('2026-01-01', 10)).to.deep.equal([
        { ...sampleDay('2026-01-01', { signUps: 8, byTier: { pro: 1 } }), ...NO_READS },
        { ...sampleDay('2026-01-02', { mailWaitingMost: 6 }), ...NO_READS },
      ]);
    });

    it('adds cache reads to a day, which new counts of the day do not change', async () => {
      await statistics.add('2026-01-01', { cacheHits: 4, cacheMisses: 1 });
      await statistics.put(sampleDay('2026-01-01'));
      await statistics.add('2026-01-01', { cacheHits: 1, cacheMisses: 2 });
      const [day] = await statistics.list('2026-01-01', 1);
      expect(day).to.deep.equal({ ...sampleDay('2026-01-01'), cacheHits: 5, cacheMisses: 3 });
      await statistics.add('2026-01-01', { cacheHits: 1, cacheMisses: 0 });
      if (day !== undefined) await statistics.put(day);
      expect(await statistics.list('2026-01-01', 1)).to.deep.equal([
        { ...sampleDay('2026-01-01'), cacheHits: 6, cacheMisses: 3 },
      ]);
    });

    it('adds up concurrent cache reads', async () => {
      await race(20, () => statistics.add('2026-01-01', { cacheHits: 2, cacheMisses: 1 }));
      await statistics.put(sampleDay('2026-01-01'));
      const [day] = await statistics.list('2026-01-01', 1);
      expect([day?.cacheHits, day?.cacheMisses]).to.deep.equal([40, 20]);
    });

    it('does not list a day that has only cache reads', async () => {
      await statistics.add('2026-01-01', { cacheHits: 1, cacheMisses: 0 });
      expect(await listDays()).to.deep.equal([]);
    });

    it('sweeps the days up to and including a day', async () => {
      const days = ['2025-12-31', '2026-01-01', '2026-01-02'];
      for (const day of days) await statistics.put(sampleDay(day));
      await statistics.add('2025-12-30', { cacheHits: 1, cacheMisses: 0 });
      await statistics.sweep('2026-01-01');
      expect(await listDays()).to.deep.equal(['2026-01-02']);
      await statistics.put(sampleDay('2025-12-30'));
      expect(await statistics.list('2025-12-30', 1)).to.deep.equal([
        { ...sampleDay('2025-12-30'), ...NO_READS },
      ]);
    });

    it('rejects arguments of the wrong type with a `TypeError`', async () => {
      await refusesNonText((value) => statistics.add(value, NO_READS));
      await refusesNonText((value) => statistics.list(value, 10));
      await refusesNonText((value) => statistics.sweep(value));
      await refusesNonNumbers((value) => statistics.list('2026-01-01', value));
      await refusesNonNumbers((value) => statistics.add('2026-01-01', { cacheHits: value, cacheMisses: 0 }));
      await refusesNonNumbers((value) => statistics.add('2026-01-01', { cacheHits: 0, cacheMisses: value }));
    });
  });
};
