import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { WorkerEnded, type WorkerExit } from '../../../servers/run/follow-worker.ts';
import { hashWorkersOf, v8ThreadsOf } from '../../../servers/run/primary.ts';
import { makeWorkerPool } from '../../../servers/run/worker-pool.ts';
import { useFakeTime } from '../../support/fake-time.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { until } from '../../support/until.ts';

/** Workers that do as the test says; they end by themselves when they are told to drain. */
const makeWorkers = () => {
  const begun: {
    place: number;
    serve(): void;
    die(gone?: Partial<WorkerExit>): void;
    drained: boolean;
  }[] = [];
  const begin = (place: number) => {
    let leave = (_gone: WorkerExit) => {};
    let serve = () => {};
    const exited = new Promise<WorkerExit>((resolve) => {
      leave = resolve;
    });
    const ready = new Promise<string>((resolve, reject) => {
      serve = () => resolve(`worker ${begun.indexOf(worker)}`);
      // `exited` never rejects.
      void exited.then((exit) => reject(new WorkerEnded(exit)));
    });
    ready.catch(() => undefined);
    const die = (how: Partial<WorkerExit> = {}) => leave({ code: 1, reason: 'SIGKILL', ...how });
    const worker = { place, serve: () => serve(), die, drained: false };
    begun.push(worker);
    const drain = () => {
      worker.drained = true;
      leave({ code: 0, reason: 'exit code 0' });
    };
    return { ready, exited, drain };
  };
  return { begun, begin };
};

describe('A pool of workers', () => {
  const time = useFakeTime();
  const open = async (count: number) => {
    const { begun, begin } = makeWorkers();
    const log = makeRecordingLog();
    const pool = makeWorkerPool({ count, begin, log });
    const opened = pool.open();
    begun[0]?.serve();
    await until(() => begun.length === count);
    for (const worker of begun) worker.serve();
    expect(await opened).to.equal('worker 0');
    return { pool, begun, log };
  };

  it('begins the others when the first serves, and none when that cannot', async () => {
    const { begun, begin } = makeWorkers();
    const pool = makeWorkerPool({ count: 3, begin, log: makeRecordingLog() });
    const opened = pool.open();
    const failure = { code: 78, lines: [] };
    begun[0]?.die({ code: 78, failure });
    const error = await opened.catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(WorkerEnded);
    expect(error).to.have.nested.property('exit.failure', failure);
    expect(begun).to.have.lengthOf(1);
  });

  it('ends well when it is closed in the middle of the start, begins no more, and says of no place that it serves', async () => {
    for (const isKilled of [true, false]) {
      const { begun, begin } = makeWorkers();
      const pool = makeWorkerPool({ count: 3, begin, log: makeRecordingLog() });
      const opened = pool.open();
      // A signal to the whole group kills one that does not listen for it yet.
      if (isKilled) begun[0]?.die();
      expect(await pool.close()).to.equal(true);
      expect(await opened).to.equal(undefined);
      expect(begun).to.have.lengthOf(1);
      expect(await pool.open()).to.equal(undefined);
      expect(begun).to.have.lengthOf(1);
    }
  });

  it('starts one again that died, logs it, and waits longer each time', async () => {
    const { pool, begun, log } = await open(2);
    const pauses = [200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000];
    for (const pause of pauses) {
      const before = begun.length;
      begun.at(-1)?.die();
      await turn();
      time.advance(pause - 1);
      expect(begun).to.have.lengthOf(before);
      time.advance(1);
      expect(begun).to.have.lengthOf(before + 1);
    }
    expect(new Set(begun.slice(2).map(({ place }) => place))).to.deep.equal(new Set([1]));
    const died = log.lines.filter(({ event }) => event === 'worker.ended');
    expect(died.map(({ fields }) => fields.count)).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(died[0]).to.deep.include({ level: 'error', fields: { id: '1', reason: 'SIGKILL', count: 1 } });
    expect(await pool.close()).to.equal(true);
  });

  it('counts the death of one that lived long as the first again', async () => {
    const { pool, begun, log } = await open(1);
    for (const [lived, pause] of [
      [59_999, 200],
      [59_999, 400],
      [60_000, 200],
    ] as const) {
      time.advance(lived);
      begun.at(-1)?.die();
      await turn();
      time.advance(pause);
    }
    expect(log.lines.map(({ fields }) => fields.count)).to.deep.equal([1, 2, 1]);
    await pool.close();
  });

  it('is renewed one after the other, each old one going when its new one serves', async () => {
    const { pool, begun } = await open(2);
    const renewed = pool.renew();
    await until(() => begun.length === 3);
    expect(begun.map(({ drained }) => drained)).to.deep.equal([false, false, false]);
    begun[2]?.serve();
    await until(() => begun.length === 4);
    expect(begun.map(({ drained }) => drained)).to.deep.equal([true, false, false, false]);
    begun[3]?.serve();
    await renewed;
    expect(begun.map(({ drained }) => drained)).to.deep.equal([true, true, false, false]);
    await pool.close();
  });

  it('is renewed once more for those who ask in the midst of it', async () => {
    const { pool, begun } = await open(1);
    const renewed = pool.renew();
    await until(() => begun.length === 2);
    const again = [pool.renew(), pool.renew()];
    begun[1]?.serve();
    await renewed;
    await turn();
    expect(begun).to.have.lengthOf(3);
    begun[2]?.serve();
    await Promise.all(again);
    expect(begun.map(({ drained }) => drained)).to.deep.equal([true, true, false]);
    await pool.close();
    expect(begun).to.have.lengthOf(3);
  });

  it('keeps the old ones when the new one cannot start', async () => {
    const { pool, begun, log } = await open(2);
    const renewed = pool.renew();
    await until(() => begun.length === 3);
    begun[2]?.die({ reason: 'exit code 78' });
    await renewed;
    expect(log.lines.map(({ event }) => event)).to.deep.equal(['worker.not_renewed']);
    expect(begun.map(({ drained }) => drained)).to.deep.equal([false, false, false]);
    await pool.close();
    expect(begun).to.have.lengthOf(3);
  });

  it('starts nobody for an old one that died while its new one was on the way', async () => {
    const { pool, begun } = await open(1);
    const renewed = pool.renew();
    await until(() => begun.length === 2);
    begun[0]?.die();
    begun[1]?.serve();
    await renewed;
    time.advance(60_000);
    expect(begun).to.have.lengthOf(2);
    await pool.close();
  });

  it('ends with all of them, also those that do not serve yet, and starts none after that', async () => {
    const { pool, begun } = await open(2);
    begun[1]?.die();
    const renewed = pool.renew();
    await until(() => begun.length >= 3);
    expect(await pool.close()).to.equal(true);
    await renewed;
    const count = begun.length;
    time.advance(60_000);
    expect(begun).to.have.lengthOf(count);
    expect(begun.filter(({ drained }) => !drained)).to.have.lengthOf(1);
  });

  it('says so when one of them ended badly', async () => {
    const { begun, begin } = makeWorkers();
    const pool = makeWorkerPool({
      count: 1,
      log: makeRecordingLog(),
      begin: (place) => {
        const worker = begin(place);
        return { ...worker, drain: () => begun[0]?.die() };
      },
    });
    const opened = pool.open();
    begun[0]?.serve();
    await opened;
    expect(await pool.close()).to.equal(false);
  });

  it('shares the hashing processes out, one each at the least', () => {
    expect(hashWorkersOf(8, 3)).to.deep.equal([3, 3, 2]);
    expect(hashWorkersOf(2, 2)).to.deep.equal([1, 1]);
    expect(hashWorkersOf(1, 3)).to.deep.equal([1, 1, 1]);
    expect(hashWorkersOf(5, 1)).to.deep.equal([5]);
  });

  it('gives each worker the threads that the cores have room for, one at the least and no more than one process has', () => {
    expect(v8ThreadsOf(2, 2)).to.equal(1);
    expect(v8ThreadsOf(2, 8)).to.equal(1);
    expect(v8ThreadsOf(8, 3)).to.equal(2);
    expect(v8ThreadsOf(64, 4)).to.equal(4);
  });
});
