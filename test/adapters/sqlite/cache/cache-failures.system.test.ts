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

describe('The SQLite cache under failures', () => {
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
  /** Writes an entry, and closes the file. */
  const writeEntry = async (boot = 'this') => {
    const { cache } = open({ boot });
    await cache.fill(entry('a'), EPOCH, 60);
    await cache.close();
  };
  const execute = (sql: string) => {
    const connection = new Libsql(file());
    connection.exec(sql);
    connection.close();
  };
  const works = async (cache: LocalFileCache) => {
    await cache.fill(entry('b'), EPOCH, 60);
    expect(await cache.get('b', EPOCH)).to.equal(entry('b').entry);
  };

  it('keeps its entries after a restart of the process, but not after a reboot of the machine', async () => {
    await writeEntry();
    const { cache: sameBoot } = open({ boot: 'this' });
    expect(await sameBoot.get('a', EPOCH)).to.equal(entry('a').entry);
    await sameBoot.close();
    const { cache: nextBoot } = open({ boot: 'next' });
    expect(await nextBoot.get('a', EPOCH)).to.equal(undefined);
    expect(await nextBoot.stats(EPOCH)).to.deep.equal({ entries: 0, bytes: 0 });
    await works(nextBoot);
    for (const [boot, entries] of [
      ['1780000000', 0],
      ['1780000059', 1],
      ['1780000130', 0],
    ] as const) {
      await nextBoot.close();
      const { cache } = open({ boot });
      expect(await cache.stats(EPOCH), boot).to.include({ entries });
      await cache.forget(['b'], EPOCH);
      await works(cache);
      await cache.close();
    }
  });

  it('keeps its entries within the current boot of the machine', async () => {
    const { cache: first } = open();
    await works(first);
    await first.close();
    const { cache: second } = open();
    expect(await second.get('b', EPOCH)).to.equal(entry('b').entry);
  });

  for (const [state, harm] of [
    ['not a database', () => writeFileSync(file(), 'something else entirely '.repeat(1_000))],
    ['truncated', () => truncateSync(file(), 5_000)],
    ['empty', () => writeFileSync(file(), '')],
    ['another database', () => execute('DROP TABLE about; CREATE TABLE t (x)')],
    ['beside an invalid write-ahead log', () => writeFileSync(`${file()}-wal`, 'x'.repeat(100_000))],
  ] as const) {
    it(`opens and works if the file is ${state}`, async () => {
      await writeEntry();
      harm();
      const { cache } = open({ boot: 'this' });
      await works(cache);
      expect(await cache.isUp()).to.equal(true);
    });
  }

  it('replaces a file of another format', async () => {
    await writeEntry();
    execute('UPDATE about SET format = format - 1');
    const { cache } = open({ boot: 'this' });
    expect(await cache.get('a', EPOCH)).to.equal(undefined);
    await works(cache);
  });

  it('recreates the file if it is damaged in use', async () => {
    const { cache: before } = open({ boot: 'this' });
    await before.load(entries(5_000), EPOCH, 60);
    await before.close();
    const { cache, events } = open({ boot: 'this' });
    let returns = 0;
    cache.onReturn(() => {
      returns += 1;
    });
    // The first pages hold the schema and stay intact.
    const descriptor = openSync(file(), 'r+');
    writeSync(descriptor, Buffer.alloc(statSync(file()).size - 8_192, 7), 0, null, 8_192);
    closeSync(descriptor);
    await until(async () => {
      const { id } = entry(`file-${Math.floor(Math.random() * 5_000)}`);
      const error = await cache.get(id, EPOCH).catch((error: unknown) => error);
      if (typeof error === 'object') expect(error).to.include({ code: 'cache_unavailable' });
      return returns > 0;
    });
    await works(cache);
    expect(events()[0]).to.equal('cache.failed');
  });

  it('is shared again soon after its file was deleted', async () => {
    const [{ cache: first }, { cache: second }] = [open(), open()];
    await first.fill(entry('a'), EPOCH, 60);
    for (const suffix of ['', '-wal', '-shm']) rmSync(file() + suffix);
    // An acknowledged removal is in the new file.
    await first.remove(['c'], 60);
    await until(async () => (await second.get('a', EPOCH)) === undefined);
    await second.fill(entry('c'), EPOCH, 60);
    expect(await first.get('c', EPOCH)).to.equal(undefined);
    await second.fill(entry('d'), EPOCH, 60);
    expect(await first.get('d', EPOCH)).to.equal(entry('d').entry);
  });

  it('is unavailable while its file cannot be opened, and works afterwards', async () => {
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

  it('opens after a limited wait if another process holds the lock, and is then unavailable', async () => {
    await writeEntry();
    const locker = new Libsql(`${file()}.lock`);
    locker.exec('BEGIN EXCLUSIVE');
    const startedAt = performance.now();
    const { cache } = open({ boot: 'this' });
    expect(performance.now() - startedAt).to.be.within(900, 20_000);
    expect(await rejectionOf(() => cache.get('a', EPOCH))).to.include({ code: 'cache_unavailable' });
    locker.close();
  });

  it('refuses fills if too many bytes wait', async () => {
    const { cache } = open();
    const big = 'x'.repeat(20_000);
    const fills = entries(1_200).map(({ id }) => cache.fill(entry(id, big), EPOCH, 60));
    const outcomes = await Promise.allSettled(fills);
    const refusals = outcomes.filter(({ status }) => status === 'rejected');
    expect(refusals.length).to.be.within(300, 400);
    for (const outcome of refusals)
      expect(outcome).to.have.nested.property('reason.code', 'cache_unavailable');
    await works(cache);
  });

  it('returns no removed entry while another process keeps writing it, or after its kill', () =>
    inRounds(async (round) => {
      const cacheFolder = join(folder(), `${round}`);
      const child = fork(fileURLToPath(new URL('./cache-child.js', import.meta.url)), [cacheFolder]);
      try {
        await once(child, 'message');
        const { cache } = open({ folder: cacheFolder, clock: { now: () => Date.now() } });
        for (let place = 0; place < 50; place += 1) {
          const id = `${place}`;
          await until(async () => (await cache.get(id, EPOCH)) !== undefined);
          // The tombstone must outlive the test on a busy machine.
          await cache.remove([id], 3_600);
          for (let attempt = 0; attempt < 20; attempt += 1) {
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
