import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import Libsql from 'libsql';
import { type LocalLimiter, makeLimiter } from '../../../../adapters/sqlite/limits/limiter.ts';
import { makeSettableClock } from '../../../contracts/leases.ts';
import { limiterContract } from '../../../contracts/limiter.ts';
import { race } from '../../../contracts/race.ts';
import { NOW } from '../../../contracts/samples.ts';
import { makeRecordingLog } from '../../../support/recording-log.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';
import { until } from '../../../support/until.ts';
import { makeForks } from './limiter-child.ts';

const CHILD = fileURLToPath(new URL('./take-many.js', import.meta.url));

limiterContract('The file of this machine', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  const clock = makeSettableClock();
  const log = makeRecordingLog();
  const [limiter, twin] = [makeLimiter({ folder, clock, log }), makeLimiter({ folder, clock, log })];
  const { fork, endForks } = makeForks(CHILD, () => [folder, String(clock.now())]);
  return {
    limiter,
    twin,
    clock,
    fork,
    close: async () => {
      await endForks();
      limiter.close();
      twin.close();
      rmSync(folder, { recursive: true });
      expect(log.lines).to.deep.equal([]);
    },
  };
});

describe('The limiter of this machine', () => {
  const folder = useTempFolder();
  const file = () => join(folder(), 'limits.db');
  const bucket = { name: 'client:login', limit: 3, seconds: 60 };
  let log: ReturnType<typeof makeRecordingLog>;
  let limiters: LocalLimiter[];

  const open = (clock = makeSettableClock()) => {
    const limiter = makeLimiter({ folder: folder(), clock, log });
    limiters.push(limiter);
    return limiter;
  };
  const allowedOf = async (limiter: LocalLimiter, calls: number) =>
    (await race(calls, () => limiter.take(bucket, 'a'))).filter((budget) => budget.allowed).length;
  const events = () => log.lines.map((line) => line.event);

  beforeEach(() => {
    log = makeRecordingLog();
    limiters = [];
  });

  afterEach(() => {
    for (const limiter of limiters) limiter.close();
  });

  it('counts in a file that only its owner can read and that outlives the process', async () => {
    const first = open();
    expect(await allowedOf(first, 2)).to.equal(2);
    first.close();
    expect(statSync(file()).mode & 0o777).to.equal(0o600);
    expect(await allowedOf(open(), 2)).to.equal(1);
  });

  it('deletes expired windows in steps', async () => {
    const clock = makeSettableClock();
    const limiter = open(clock);
    await race(1_000, (place) => limiter.take(bucket, `key ${place}`));
    clock.set(NOW + 60_000);
    await limiter.take(bucket, 'fresh');
    const reader = new Libsql(file());
    try {
      const rows = () => reader.prepare('SELECT key FROM windows').all();
      await until(() => rows().length === 1);
      expect(rows()).to.deep.equal([{ key: '12:client:login:fresh' }]);
    } finally {
      reader.close();
    }
  });

  it('waits for a lock without blocking the event loop, and counts exactly', async () => {
    const limiter = open();
    await limiter.take(bucket, 'a');
    const locker = new Libsql(file());
    locker.exec('BEGIN IMMEDIATE');
    const allowed = allowedOf(limiter, 10);
    let turns = 0;
    const startedAt = performance.now();
    while (performance.now() - startedAt < 50) {
      await new Promise(setImmediate);
      turns += 1;
    }
    locker.exec('COMMIT');
    locker.close();
    expect(await allowed).to.equal(2);
    expect(turns).to.be.greaterThan(50);
    expect(events()).to.deep.equal([]);
  });

  it('counts by itself if another process does not release the lock', async () => {
    const limiter = open();
    await limiter.take(bucket, 'other');
    const locker = new Libsql(file());
    locker.exec('BEGIN IMMEDIATE');
    expect(await allowedOf(limiter, 10)).to.equal(3);
    expect(await allowedOf(limiter, 10)).to.equal(0);
    locker.exec('COMMIT');
    locker.close();
    expect(events()).to.deep.equal(['limiter.apart']);
  });

  it('replaces a file that is not a database', async () => {
    writeFileSync(file(), 'no database at all\n'.repeat(1_000));
    const [limiter, twin] = [open(), open()];
    expect(await allowedOf(limiter, 2)).to.equal(2);
    expect(await allowedOf(twin, 2)).to.equal(1);
    expect(log.lines).to.deep.equal([
      { level: 'warn', event: 'limiter.recreated', fields: { reason: 'SQLITE_NOTADB' } },
    ]);
  });

  it('replaces a file with another schema', async () => {
    const locker = new Libsql(file());
    locker.exec('CREATE TABLE windows (something TEXT)');
    locker.close();
    expect(await allowedOf(open(), 5)).to.equal(3);
    expect(events()).to.deep.equal(['limiter.recreated']);
  });

  it('keeps counting if its file is truncated', async () => {
    const limiter = open();
    await race(500, (place) => limiter.take(bucket, `key ${place}`));
    for (const name of readdirSync(folder()))
      if (!name.endsWith('-shm')) truncateSync(join(folder(), name), 100);
    const allowed = await allowedOf(limiter, 10);
    expect(allowed).to.equal(3);
  });

  it('switches to a file that replaced its own', async () => {
    const limiter = open();
    await allowedOf(limiter, 3);
    for (const name of readdirSync(folder())) rmSync(join(folder(), name));
    const twin = open();
    expect(await allowedOf(twin, 1)).to.equal(1);
    await until(async () => (await limiter.take(bucket, 'a')).allowed);
    expect(await allowedOf(twin, 5)).to.equal(1);
  });

  it('counts in memory while no file can be created, and logs this once', async () => {
    mkdirSync(file());
    const clock = makeSettableClock();
    const limiter = open(clock);
    expect(await allowedOf(limiter, 10)).to.equal(3);
    expect(await allowedOf(limiter, 10)).to.equal(0);
    clock.set(NOW + 60_000);
    expect(await allowedOf(limiter, 10)).to.equal(3);
    clock.set(NOW - 3_600_000);
    expect(await limiter.take(bucket, 'a')).to.include({ allowed: false, reset: 60 });
    expect(events()).to.deep.equal(['limiter.apart']);
  });

  it('answers calls that were made before and after it was closed', async () => {
    const limiter = open();
    const before = limiter.take(bucket, 'a');
    limiter.close();
    expect((await before).allowed).to.equal(true);
    expect((await limiter.take(bucket, 'a')).allowed).to.equal(true);
  });
});
