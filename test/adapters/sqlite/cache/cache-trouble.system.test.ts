import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import Libsql from 'libsql';
import { type LocalFileCache, openSqliteFileCache } from '../../../../adapters/sqlite/cache/file-cache.ts';
import { EPOCH, entries, entry } from '../../../contracts/file-cache.ts';
import { makeSettableClock } from '../../../contracts/leases.ts';
import { inRounds } from '../../../contracts/race.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { makeRecordingLog } from '../../../support/recording-log.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';
import { until } from '../../../support/until.ts';

describe('The SQLite cache in trouble', () => {
  const caches: LocalFileCache[] = [];

  afterEach(async () => {
    await Promise.all(caches.splice(0).map((cache) => cache.close()));
  });

  const folder = useTempFolder();
  const file = () => join(folder(), 'cache.db');
  const open = (options: Partial<Parameters<typeof openSqliteFileCache>[0]> = {}) => {
    const log = makeRecordingLog();
    const clock = makeSettableClock();
    const cache = openSqliteFileCache({ folder: folder(), clock, log, ...options });
    caches.push(cache);
    return { cache, clock, events: () => log.lines.map(({ event }) => event) };
  };
  /** Leaves an entry in a file that nobody has open. */
  const leaveOne = async (boot = 'this') => {
    const { cache } = open({ boot });
    await cache.fill(entry('a'), EPOCH, 60);
    await cache.close();
  };
  const change = (sql: string) => {
    const locker = new Libsql(file());
    locker.exec(sql);
    locker.close();
  };
  const works = async (cache: LocalFileCache) => {
    await cache.fill(entry('b'), EPOCH, 60);
    expect(await cache.get('b', EPOCH)).to.equal(entry('b').entry);
  };

  it('keeps its entries over a restart of the process, and none over one of the machine', async () => {
    await leaveOne();
    const { cache: same } = open({ boot: 'this' });
    expect(await same.get('a', EPOCH)).to.equal(entry('a').entry);
    await same.close();
    const { cache: next } = open({ boot: 'next' });
    expect(await next.get('a', EPOCH)).to.equal(undefined);
    expect(await next.stats(EPOCH)).to.deep.equal({ entries: 0, bytes: 0 });
    await works(next);
    for (const [boot, entries] of [
      ['1780000000', 0],
      ['1780000059', 1],
      ['1780000130', 0],
    ] as const) {
      await next.close();
      const { cache } = open({ boot });
      expect(await cache.stats(EPOCH), boot).to.include({ entries });
      await cache.forget(['b'], EPOCH);
      await works(cache);
      await cache.close();
    }
  });

  it('knows which boot of the machine this is', async () => {
    const { cache: first } = open();
    await works(first);
    await first.close();
    const { cache: second } = open();
    expect(await second.get('b', EPOCH)).to.equal(entry('b').entry);
  });

  for (const [what, harm] of [
    ['no database', () => writeFileSync(file(), 'something else entirely '.repeat(1_000))],
    ['cut off', () => truncateSync(file(), 5_000)],
    ['empty', () => writeFileSync(file(), '')],
    ['another database', () => change('DROP TABLE about; CREATE TABLE t (x)')],
    ['beside a log that is none', () => writeFileSync(`${file()}-wal`, 'x'.repeat(100_000))],
  ] as const) {
    it(`opens and works when the file is ${what}`, async () => {
      await leaveOne();
      harm();
      const { cache } = open({ boot: 'this' });
      await works(cache);
      expect(await cache.isUp()).to.equal(true);
    });
  }

  it('throws a file of another format away', async () => {
    await leaveOne();
    change('UPDATE about SET format = format - 1');
    const { cache } = open({ boot: 'this' });
    expect(await cache.get('a', EPOCH)).to.equal(undefined);
    await works(cache);
  });

  it('makes the file anew when it is damaged in use', async () => {
    const { cache: before } = open({ boot: 'this' });
    await before.load(entries(5_000), EPOCH, 60);
    await before.close();
    const { cache, events } = open({ boot: 'this' });
    let returns = 0;
    cache.onReturn(() => {
      returns += 1;
    });
    // All but the schema.
    const harmed = openSync(file(), 'r+');
    writeSync(harmed, Buffer.alloc(statSync(file()).size - 8_192, 7), 0, null, 8_192);
    closeSync(harmed);
    await until(async () => {
      const { id } = entry(`file-${Math.floor(Math.random() * 5_000)}`);
      const error = await cache.get(id, EPOCH).catch((error: unknown) => error);
      if (typeof error === 'object') expect(error).to.include({ code: 'cache_unavailable' });
      return returns > 0;
    });
    await works(cache);
    expect(events()[0]).to.equal('cache.failed');
  });

  it('is shared again soon after its file was taken away', async () => {
    const [{ cache: first }, { cache: second }] = [open(), open()];
    await first.fill(entry('a'), EPOCH, 60);
    for (const suffix of ['', '-wal', '-shm']) rmSync(file() + suffix);
    // Acknowledged means: in the file that is in place.
    await first.remove(['c'], 60);
    await until(async () => (await second.get('a', EPOCH)) === undefined);
    await second.fill(entry('c'), EPOCH, 60);
    expect(await first.get('c', EPOCH)).to.equal(undefined);
    await second.fill(entry('d'), EPOCH, 60);
    expect(await first.get('d', EPOCH)).to.equal(entry('d').entry);
  });

  it('opens while its file cannot be, is unavailable, and works once it can', async () => {
    mkdirSync(file());
    const { cache, events } = open();
    for (const call of [
      () => cache.get('a', EPOCH),
      () => cache.fill(entry('a'), EPOCH, 60),
      () => cache.remove(['a'], 60),
      () => cache.stats(EPOCH),
    ]) {
      expect(await rejectionOf(call)).to.include({ kind: 'unavailable', code: 'cache_unavailable' });
    }
    expect([events(), await cache.isUp()]).to.deep.equal([['cache.failed'], false]);
    rmSync(file(), { recursive: true });
    await until(cache.isUp);
    await works(cache);
    expect(events()).to.deep.equal(['cache.failed', 'cache.back']);
  });

  it('holds no start up while another process looks at the file for ever', async () => {
    await leaveOne();
    const stuck = new Libsql(`${file()}.lock`);
    stuck.exec('BEGIN EXCLUSIVE');
    const startedAt = performance.now();
    const { cache } = open({ boot: 'this' });
    expect(performance.now() - startedAt).to.be.within(900, 20_000);
    expect(await rejectionOf(() => cache.get('a', EPOCH))).to.include({ code: 'cache_unavailable' });
    stuck.close();
  });

  it('refuses fills when too much of them waits', async () => {
    const { cache } = open();
    const big = 'x'.repeat(20_000);
    const fills = entries(1_200).map(({ id }) => cache.fill(entry(id, big), EPOCH, 60));
    const settled = await Promise.allSettled(fills);
    const refused = settled.filter(({ status }) => status === 'rejected');
    expect(refused.length).to.be.within(300, 400);
    for (const outcome of refused)
      expect(outcome).to.have.nested.property('reason.code', 'cache_unavailable');
    await works(cache);
  });

  it('gives nothing that was removed while another process puts it again and again, nor when that is killed', () =>
    inRounds(async (round) => {
      const within = join(folder(), `${round}`);
      const child = fork(fileURLToPath(new URL('./cache-child.js', import.meta.url)), [within]);
      try {
        await once(child, 'message');
        const { cache } = open({ folder: within, clock: { now: () => Date.now() } });
        for (let place = 0; place < 50; place += 1) {
          const id = `${place}`;
          await until(async () => (await cache.get(id, EPOCH)) !== undefined);
          // Longer than all of this takes beside busy processes.
          await cache.remove([id], 3_600);
          for (let time = 0; time < 20; time += 1) {
            expect(await cache.get(id, EPOCH)).to.equal(undefined);
            await new Promise(setImmediate);
          }
          if (place === 40) child.kill('SIGKILL');
        }
        expect(
          await cache.load(
            Array.from({ length: 50 }, (_, place) => entry(`${place}`)),
            EPOCH,
            60,
          ),
        ).to.equal(0);
        await works(cache);
      } finally {
        child.kill('SIGKILL');
      }
    }));
});
