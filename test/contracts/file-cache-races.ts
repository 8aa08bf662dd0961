import { expect } from 'chai';
import type { FileCache } from '../../core/files/ports.ts';
import { EPOCH, entries, entry, type OpenedCache } from './file-cache.ts';
import { openForEachTest } from './open-for-each-test.ts';
import { inRounds, race } from './race.ts';

export const fileCacheRaces = (name: string, open: () => Promise<OpenedCache>): void => {
  describe(`${name} as a file cache under concurrent calls`, () => {
    let opened: OpenedCache;
    let caches: readonly [FileCache, FileCache];

    const cacheAt = (place: number) => caches[place % 2 === 0 ? 0 : 1];
    const isCached = async (id: string) =>
      (await Promise.all(caches.map((cache) => cache.get(id, EPOCH)))).some((text) => text !== undefined);

    openForEachTest(open, (current) => {
      opened = current;
      caches = [current.cache, current.other];
    });

    it('returns no entry after its removal is acknowledged, despite concurrent fills and loads', () =>
      inRounds(async (round) => {
        for (let time = 0; time < 20; time += 1) {
          const id = `${round}-${time}`;
          if (time % 2 === 0) await opened.cache.fill(entry(id), EPOCH, 60);
          let isRemoved = false;
          let staleReads = 0;
          await race(50, async (place) => {
            if (place === time + 10) {
              await cacheAt(place).remove([id], 60);
              isRemoved = true;
            } else if (place % 3 === 0) await cacheAt(place).load([entry(`${id}-x`), entry(id)], EPOCH, 60);
            else if (place % 3 === 1) await cacheAt(place).fill(entry(id), EPOCH, 60);
            else {
              const wasRemoved = isRemoved;
              if ((await isCached(id)) && wasRemoved) staleReads += 1;
            }
            if (isRemoved && (await isCached(id))) staleReads += 1;
          });
          expect([staleReads, await isCached(id)]).to.deep.equal([0, false]);
        }
      }));

    it('keeps the first of many entries that are stored for one id concurrently', () =>
      inRounds(async (round) => {
        const id = `${round}`;
        await race(50, async (place) => {
          if (place % 2 === 0) await cacheAt(place).fill(entry(id, `${place}`), EPOCH, 60);
          else await cacheAt(place >> 1).load([entry(id, `${place}`)], EPOCH, 60);
        });
        const text = await opened.cache.get(id, EPOCH);
        expect(Number(text)).to.be.within(0, 49);
        await race(50, (place) => cacheAt(place).fill(entry(id, 'late'), EPOCH, 60));
        expect(await opened.other.get(id, EPOCH)).to.equal(text);
      }));

    it('counts each entry once over concurrent calls that forget it', () =>
      inRounds(async (round) => {
        const all = entries(200, `${round}`);
        await opened.cache.load(all, EPOCH, 60);
        const ids = all.map(({ id }) => id);
        const counts = await race(10, (place) => cacheAt(place).forget(ids, EPOCH));
        expect(counts.reduce((sum, count) => sum + count, 0)).to.equal(200);
      }));

    it('drops all earlier entries in a clear, while other entries are filled', async () => {
      const wasRemoved = entries(1_500, 'before');
      await opened.cache.load(wasRemoved, EPOCH, 60);
      await Promise.all([
        opened.cache.clear(EPOCH),
        ...entries(300, 'meanwhile').map((entry, place) => cacheAt(place).fill(entry, EPOCH, 60)),
      ]);
      for (const { id } of wasRemoved) expect(await opened.other.get(id, EPOCH), id).to.equal(undefined);
    });
  });
};
