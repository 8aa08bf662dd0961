import { expect } from 'chai';
import { unavailable } from '../../../core/errors.ts';
import { makeCacheReadCounts } from '../../../core/files/cache-reads.ts';
import type { FilesPorts } from '../../../core/files/ports.ts';
import { isoDay } from '../../../core/iso-times.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { sampleDay } from '../../contracts/statistics.ts';
import { openFilesCore as open, upload } from './open-files-core.ts';

describe('The counter of cache hits and misses', () => {
  const todaysCounts = async ({ ports }: ReturnType<typeof open>) => {
    const day = isoDay(ports.clock.now());
    await ports.statistics.put(sampleDay(day));
    const [today] = await ports.statistics.list(day, 1);
    return [today?.cacheHits, today?.cacheMisses];
  };

  it('adds each read to the counts of the day once', async () => {
    const core = open();
    const { id } = await core.files.create(upload());
    await core.files.background.flushCacheReads();
    expect(await todaysCounts(core)).to.deep.equal([0, 0]);
    for (let count = 0; count < 4; count += 1) await core.files.read(id);
    await core.files.background.flushCacheReads();
    await core.files.background.flushCacheReads();
    const [hits = 0, misses = 0] = await todaysCounts(core);
    expect(hits + misses).to.equal(4);
    expect(misses).to.be.at.least(1);
    expect(hits).to.be.at.least(2);
  });

  it('keeps counts while the store is down, and counts no read while the cache is down', async () => {
    let isDown = true;
    const change = ({ statistics }: FilesPorts) => ({
      statistics: {
        ...statistics,
        add: async (...args: Parameters<typeof statistics.add>) => {
          if (isDown) throw unavailable('store_unavailable', 'The store is down.');
          await statistics.add(...args);
        },
      },
    });
    const core = open({ change });
    const { id } = await core.files.create(upload());
    await core.files.read(id);
    expect(await rejectionOf(() => core.files.background.flushCacheReads())).to.include({
      code: 'store_unavailable',
    });
    isDown = false;
    core.link.up = false;
    await core.files.read(id);
    await core.files.background.flushCacheReads();
    const [hits = 0, misses = 0] = await todaysCounts(core);
    expect(hits + misses).to.equal(1);
  });

  it('keeps the counts of a failed write and the reads during that write', async () => {
    const { statistics } = open().ports;
    const written: unknown[] = [];
    let isDown = true;
    const counts = makeCacheReadCounts({
      clock: { now: () => 0 },
      statistics: {
        ...statistics,
        add: async (_, reads) => {
          if (!isDown) return void written.push(reads);
          for (const isHit of [true, false, false]) counts.note(isHit);
          throw unavailable('store_unavailable', 'The store is down.');
        },
      },
    });
    for (const isHit of [true, true, false]) counts.note(isHit);
    expect(await rejectionOf(() => counts.flush())).to.include({ code: 'store_unavailable' });
    isDown = false;
    await counts.flush();
    expect(written).to.deep.equal([{ cacheHits: 3, cacheMisses: 3 }]);
  });
});
