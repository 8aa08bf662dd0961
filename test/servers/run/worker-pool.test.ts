import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { WorkerEnded, type WorkerExit } from '../../../servers/run/follow-worker.ts';
import { hashWorkersOf, v8ThreadsOf } from '../../../servers/run/primary.ts';
import { makeWorkerPool } from '../../../servers/run/worker-pool.ts';
import { useFakeTime } from '../../support/fake-time.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { until } from '../../support/until.ts';

/** Workers that the test controls. They exit by themselves when they drain. */
const makeWorkers = () => {
  const workers: {
    place: number;
    serve(): void;
    die(exit?: Partial<WorkerExit>): void;
    drained: boolean;
  }[] = [];
  const begin = (place: number) => {
    let leave = (_exit: WorkerExit) => {};
    let serve = () => {};
    const exited = new Promise<WorkerExit>((resolve) => {
      leave = resolve;
    });
    const ready = new Promise<string>((resolve, reject) => {
      serve = () => resolve(`worker ${workers.indexOf(worker)}`);
      // `exited` never rejects.
      void exited.then((exit) => reject(new WorkerEnded(exit)));
    });
    ready.catch(() => undefined);
    const die = (exit: Partial<WorkerExit> = {}) => leave({ code: 1, reason: 'SIGKILL', ...exit });
    const worker = { place, serve: () => serve(), die, drained: false };
    workers.push(worker);
    const drain = () => {
      worker.drained = true;
      leave({ code: 0, reason: 'exit code 0' });
    };
    return { ready, exited, drain };
  };
  return { workers, begin };
};

describe('A pool of workers', () => {
  const time = useFakeTime();
  const open = async (count: number) => {
    const { workers, begin } = makeWorkers();
    const log = makeRecordingLog();
    const pool = makeWorkerPool({ count, begin, log });
    const opened = pool.open();
    workers[0]?.serve();
    await until(() => workers.length === count);
    for (const worker of workers) worker.serve();
    expect(await opened).to.equal('worker 0');
    return { pool, workers, log };
  };

  it('does not begin further workers if the first fails', async () => {
    const { workers, begin } = makeWorkers();
    const pool = makeWorkerPool({ count: 3, begin, log: makeRecordingLog() });
    const opened = pool.open();
    const failure = { code: 78, lines: [] };
    workers[0]?.die({ code: 78, failure });
    const error = await opened.catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(WorkerEnded);
    expect(error).to.have.nested.property('exit.failure', failure);
    expect(workers).to.have.lengthOf(1);
  });

  it('closes during its start without an error or an address, and begins no more workers', async () => {
    for (const isKilled of [true, false]) {
      const { workers, begin } = makeWorkers();
      const pool = makeWorkerPool({ count: 3, begin, log: makeRecordingLog() });
      const opened = pool.open();
      // A signal to the process group kills a worker that does not handle signals yet.
      if (isKilled) workers[0]?.die();
      expect(await pool.close()).to.equal(true);
      expect(await opened).to.equal(undefined);
      expect(workers).to.have.lengthOf(1);
      expect(await pool.open()).to.equal(undefined);
      expect(workers).to.have.lengthOf(1);
    }
  });

  it('restarts a worker that dies, logs its end, and waits longer each time', async () => {
    const { pool, workers, log } = await open(2);
    const pauses = [200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000];
    for (const delayMs of pauses) {
      const before = workers.length;
      workers.at(-1)?.die();
      await turn();
      time.advance(delayMs - 1);
      expect(workers).to.have.lengthOf(before);
      time.advance(1);
      expect(workers).to.have.lengthOf(before + 1);
    }
    expect(new Set(workers.slice(2).map(({ place }) => place))).to.deep.equal(new Set([1]));
    const deaths = log.lines.filter(({ event }) => event === 'worker.ended');
    expect(deaths.map(({ fields }) => fields.count)).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(deaths[0]).to.deep.include({ level: 'error', fields: { id: '1', reason: 'SIGKILL', count: 1 } });
    expect(await pool.close()).to.equal(true);
  });

  it('resets the count of deaths after a worker has run for a minute', async () => {
    const { pool, workers, log } = await open(1);
    for (const [aliveMs, delayMs] of [
      [59_999, 200],
      [59_999, 400],
      [60_000, 200],
    ] as const) {
      time.advance(aliveMs);
      workers.at(-1)?.die();
      await turn();
      time.advance(delayMs);
    }
    expect(log.lines.map(({ fields }) => fields.count)).to.deep.equal([1, 2, 1]);
    await pool.close();
  });

  it('renews workers one by one and drains each old worker once its successor serves', async () => {
    const { pool, workers } = await open(2);
    const renewed = pool.renew();
    await until(() => workers.length === 3);
    expect(workers.map(({ drained }) => drained)).to.deep.equal([false, false, false]);
    workers[2]?.serve();
    await until(() => workers.length === 4);
    expect(workers.map(({ drained }) => drained)).to.deep.equal([true, false, false, false]);
    workers[3]?.serve();
    await renewed;
    expect(workers.map(({ drained }) => drained)).to.deep.equal([true, true, false, false]);
    await pool.close();
  });

  it('renews once more for all calls during a renewal', async () => {
    const { pool, workers } = await open(1);
    const renewed = pool.renew();
    await until(() => workers.length === 2);
    const again = [pool.renew(), pool.renew()];
    workers[1]?.serve();
    await renewed;
    await turn();
    expect(workers).to.have.lengthOf(3);
    workers[2]?.serve();
    await Promise.all(again);
    expect(workers.map(({ drained }) => drained)).to.deep.equal([true, true, false]);
    await pool.close();
    expect(workers).to.have.lengthOf(3);
  });

  it('keeps the old workers if a new worker cannot start', async () => {
    const { pool, workers, log } = await open(2);
    const renewed = pool.renew();
    await until(() => workers.length === 3);
    workers[2]?.die({ reason: 'exit code 78' });
    await renewed;
    expect(log.lines.map(({ event }) => event)).to.deep.equal(['worker.not_renewed']);
    expect(workers.map(({ drained }) => drained)).to.deep.equal([false, false, false]);
    await pool.close();
    expect(workers).to.have.lengthOf(3);
  });

  it('does not replace an old worker that dies while its successor starts', async () => {
    const { pool, workers } = await open(1);
    const renewed = pool.renew();
    await until(() => workers.length === 2);
    workers[0]?.die();
    workers[1]?.serve();
    await renewed;
    time.advance(60_000);
    expect(workers).to.have.lengthOf(2);
    await pool.close();
  });

  it('ends all workers at its close, also those that do not serve yet, and starts no more', async () => {
    const { pool, workers } = await open(2);
    workers[1]?.die();
    const renewed = pool.renew();
    await until(() => workers.length >= 3);
    expect(await pool.close()).to.equal(true);
    await renewed;
    const count = workers.length;
    time.advance(60_000);
    expect(workers).to.have.lengthOf(count);
    expect(workers.filter(({ drained }) => !drained)).to.have.lengthOf(1);
  });

  it('returns false from `close` if a worker fails during its drain', async () => {
    const { workers, begin } = makeWorkers();
    const pool = makeWorkerPool({
      count: 1,
      log: makeRecordingLog(),
      begin: (place) => {
        const worker = begin(place);
        return { ...worker, drain: () => workers[0]?.die() };
      },
    });
    const opened = pool.open();
    workers[0]?.serve();
    await opened;
    expect(await pool.close()).to.equal(false);
  });

  it('distributes the hashing processes over the workers, with at least one each', () => {
    expect(hashWorkersOf(8, 3)).to.deep.equal([3, 3, 2]);
    expect(hashWorkersOf(2, 2)).to.deep.equal([1, 1]);
    expect(hashWorkersOf(1, 3)).to.deep.equal([1, 1, 1]);
    expect(hashWorkersOf(5, 1)).to.deep.equal([5]);
  });

  it('limits the V8 threads of each worker by the cores, from one to four', () => {
    expect(v8ThreadsOf(2, 2)).to.equal(1);
    expect(v8ThreadsOf(2, 8)).to.equal(1);
    expect(v8ThreadsOf(8, 3)).to.equal(2);
    expect(v8ThreadsOf(64, 4)).to.equal(4);
  });
});
