import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import Libsql from 'libsql';
import { openSharedCache } from '../../../../adapters/sqlite/cache/cache-database.ts';
import { BURY, FORGET, STATS } from '../../../../adapters/sqlite/cache/cache-schema.ts';
import { type LocalFileCache, openSqliteFileCache } from '../../../../adapters/sqlite/cache/file-cache.ts';
import { EPOCH, entries, entry } from '../../../contracts/file-cache.ts';
import { makeSettableClock } from '../../../contracts/leases.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { makeRecordingLog } from '../../../support/recording-log.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';

const MB = 2 ** 20;

describe('The file of the SQLite cache', () => {
  const caches: LocalFileCache[] = [];

  afterEach(async () => {
    await Promise.all(caches.splice(0).map((cache) => cache.close()));
  });

  const folder = useTempFolder();
  const open = (mostBytes?: number) => {
    const clock = makeSettableClock();
    const options = { folder: folder(), clock, log: makeRecordingLog() };
    const cache = openSqliteFileCache(mostBytes === undefined ? options : { ...options, mostBytes });
    caches.push(cache);
    return { cache, clock, pass: (seconds: number) => clock.set(clock.now() + seconds * 1_000) };
  };
  const rows = (table: string) => {
    const database = new Libsql(join(folder(), 'cache.db'));
    const row = database.prepare(`SELECT count(*) AS count FROM ${table}`).get() as { count: number };
    database.close();
    return row.count;
  };

  it('is accessible only to its owner, as are the files beside it', () => {
    open();
    for (const name of ['cache.db', 'cache.db-wal', 'cache.db-shm']) {
      expect(statSync(join(folder(), name)).mode & 0o777, name).to.equal(0o600);
    }
  });

  it('loses expired entries in steps as new entries are written', async () => {
    const { cache, pass } = open();
    await cache.load(entries(1_000, 'old'), EPOCH, 60);
    pass(60);
    await cache.fill(entry('new'), EPOCH, 60);
    expect(rows('entries')).to.be.within(900, 1_000);
    await cache.load(entries(500, 'more'), EPOCH, 60);
    expect(rows('entries')).to.equal(501);
    expect(await cache.stats(EPOCH)).to.include({ entries: 501 });
  });

  it('stays within its size limit, and loses the entries first that expire first', async () => {
    const { cache } = open(4 * MB);
    const long = 'x'.repeat(1_000);
    const load = async (name: string, life: number) => {
      for (let page = 0; page < 10; page += 1) {
        const batch = entries(100, `${name}-${page}`).map(({ id }) => entry(id, long));
        await cache.load(batch, EPOCH, life);
      }
    };
    await load('synced', 86_400);
    for (const name of ['one', 'two', 'three', 'four', 'five']) await load(name, 3_600);
    const { entries: remaining, bytes } = await cache.stats(EPOCH);
    expect(bytes).to.be.below(4 * MB);
    expect(remaining).to.be.within(2_000, 4_500);
    for (let page = 0; page < 10; page += 1) {
      expect(await cache.get(`synced-${page}-file-0`, EPOCH)).to.equal(undefined);
      expect(await cache.get(`synced-${page}-50`, EPOCH)).to.equal(long);
      expect(await cache.get(`five-${page}-50`, EPOCH)).to.equal(long);
    }
    await cache.close();
    expect(statSync(join(folder(), 'cache.db')).size).to.be.below(6 * MB);
  });

  it('keeps tombstones past their lifetime, to refuse delayed fills', async () => {
    const { cache, pass } = open();
    const { cache: delayed } = open();
    await cache.remove(['a', 'b'], 60);
    pass(300);
    await cache.remove(['c'], 60);
    await delayed.fill(entry('a', 'old'), EPOCH, 3_600);
    expect(await cache.get('a', EPOCH)).to.equal(undefined);
    await cache.fill(entry('a', 'new'), EPOCH, 3_600);
    expect(await cache.get('a', EPOCH)).to.equal('new');
    pass(1_000);
    await cache.remove(['d'], 60);
    expect(rows('tombstones')).to.equal(1);
  });

  it('does not block the event loop during large writes and clears', async () => {
    const { cache } = open();
    const turnsDuring = async (work: Promise<unknown>) => {
      let [turns, working] = [0, true];
      const ended = work.finally(() => {
        working = false;
      });
      for (; working; turns += 1) await new Promise(setImmediate);
      await ended;
      return turns;
    };
    const many = entries(1_000).map(({ id }) => entry(id, id.padEnd(10_000)));
    expect(await turnsDuring(cache.load(many, EPOCH, 60))).to.be.above(10);
    expect(await turnsDuring(cache.clear(EPOCH))).to.be.above(10);
  });

  it('is reported as failing on a full disk until a write changes a row', async () => {
    const log = makeRecordingLog();
    let returns = 0;
    const onReturn = () => {
      returns += 1;
    };
    const cache = openSharedCache({ file: join(folder(), 'cache.db'), log, onReturn });
    const limit = (pages: number) => cache.write([{ sql: `PRAGMA max_page_count = ${pages}`, params: [] }]);
    const bury = (ids: readonly string[]) =>
      cache.write([{ sql: BURY, params: [JSON.stringify(ids), 0, ''] }]);
    const cacheState = () => [cache.isFailing(), returns, log.lines.map(({ event }) => event)];
    await limit(1);
    expect(await rejectionOf(() => bury(['x'.repeat(100_000)]))).to.include({ code: 'cache_unavailable' });
    await cache.write([{ sql: FORGET, params: ['["a"]', 1, 0] }]);
    await cache.write([{ sql: STATS, params: [0, 1] }]);
    expect(cacheState()).to.deep.equal([true, 0, ['cache.failed']]);
    await limit(1_000_000);
    await bury(['a']);
    expect(cacheState()).to.deep.equal([false, 1, ['cache.failed', 'cache.back']]);
    await cache.close();
  });
});
