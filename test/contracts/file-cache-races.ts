import { expect } from 'chai';
import type { FileCache } from '../../core/files/ports.ts';
import { EPOCH, entries, entry, type OpenedCache } from './file-cache.ts';
import { openForEachTest } from './opened.ts';
import { inRounds, race } from './race.ts';

export const fileCacheRaces = (name: string, open: () => Promise<OpenedCache>): void => {
  describe(`${name} as a file cache with many at it`, () => {
    let opened: OpenedCache;
    let both: readonly [FileCache, FileCache];

    const at = (place: number) => both[place % 2 === 0 ? 0 : 1];
    const isThere = async (id: string) =>
      (await Promise.all(both.map((cache) => cache.get(id, EPOCH)))).some((text) => text !== undefined);

    openForEachTest(open, (current) => {
      opened = current;
      both = [current.cache, current.other];
    });

    it('gives no entry any more once its removal is acknowledged, whoever fills or loads it', () =>
      inRounds(async (round) => {
        for (let time = 0; time < 20; time += 1) {
          const id = `${round}-${time}`;
          if (time % 2 === 0) await opened.cache.fill(entry(id), EPOCH, 60);
          let removed = false;
          let foundAfter = 0;
          await race(50, async (place) => {
            if (place === time + 10) {
              await at(place).remove([id], 60);
              removed = true;
            } else if (place % 3 === 0) await at(place).load([entry(`${id}-x`), entry(id)], EPOCH, 60);
            else if (place % 3 === 1) await at(place).fill(entry(id), EPOCH, 60);
            else {
              const before = removed;
              if ((await isThere(id)) && before) foundAfter += 1;
            }
            if (removed && (await isThere(id))) foundAfter += 1;
          });
          expect([foundAfter, await isThere(id)]).to.deep.equal([0, false]);
        }
      }));

    it('keeps the first of many entries for one id, whoever gives it', () =>
      inRounds(async (round) => {
        const id = `${round}`;
        await race(50, async (place) => {
          if (place % 2 === 0) await at(place).fill(entry(id, `${place}`), EPOCH, 60);
          else await at(place >> 1).load([entry(id, `${place}`)], EPOCH, 60);
        });
        const kept = await opened.cache.get(id, EPOCH);
        expect(Number(kept)).to.be.within(0, 49);
        await race(50, (place) => at(place).fill(entry(id, 'late'), EPOCH, 60));
        expect(await opened.other.get(id, EPOCH)).to.equal(kept);
      }));

    it('counts each entry once for those that forget the same at once', () =>
      inRounds(async (round) => {
        const many = entries(200, `${round}`);
        await opened.cache.load(many, EPOCH, 60);
        const ids = many.map(({ id }) => id);
        const counts = await race(10, (place) => at(place).forget(ids, EPOCH));
        expect(counts.reduce((sum, count) => sum + count, 0)).to.equal(200);
      }));

    it('drops what was there when the clearing began, while others go on filling', async () => {
      const before = entries(1_500, 'before');
      await opened.cache.load(before, EPOCH, 60);
      await Promise.all([
        opened.cache.clear(EPOCH),
        ...entries(300, 'meanwhile').map((one, place) => at(place).fill(one, EPOCH, 60)),
      ]);
      for (const { id } of before) expect(await opened.other.get(id, EPOCH), id).to.equal(undefined);
    });
  });
};
