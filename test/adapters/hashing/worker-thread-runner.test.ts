import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import sinon from 'sinon';
import { makeHashPool } from '../../../adapters/hashing/hash-pool.ts';
import { startWorkerThreadRunner } from '../../../adapters/hashing/worker-thread-runner.ts';
import { testPasswordHasher } from '../../contracts/password-hasher.ts';
import { newHashOptions } from '../../contracts/samples.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { watchChildren } from './started-children.ts';

testPasswordHasher('threads', ({ cost, log, queue }) => {
  const pool = makeHashPool({
    cost,
    log,
    queue,
    workers: 1,
    maxWait: 120_000,
    start: startWorkerThreadRunner,
  });
  return { hasher: pool, close: pool.close };
});

describe('A hashing thread', () => {
  const log = makeRecordingLog();
  const make = (options: { readonly ln: number; readonly deadline?: number }) =>
    makeHashPool({
      cost: { ln: options.ln, r: 8, p: 1 },
      log,
      workers: 1,
      start: startWorkerThreadRunner,
      ...(options.deadline !== undefined && { deadline: options.deadline }),
    });
  beforeEach(() => log.lines.splice(0));
  afterEach(() => sinon.restore());

  it('exchanges hashes with a hashing child in both directions, without starting a process', async () => {
    const [native, portable] = [makeHashPool({ cost: { ln: 8, r: 8, p: 1 }, log }), make({ ln: 8 })];
    const match = { isCorrect: true, isOutdated: false };
    const hash = await native.hash('zażółć 🔑', newHashOptions());
    const watch = watchChildren();
    expect(await portable.verify('zażółć 🔑', hash, newHashOptions())).to.deep.equal(match);
    const threadHash = await portable.hash('zażółć 🔑', newHashOptions());
    expect(watch.children).to.deep.equal([]);
    watch.stop();
    expect(await native.verify('zażółć 🔑', threadHash, newHashOptions())).to.deep.equal(match);
    await Promise.all([native.close(), portable.close()]);
  });

  it('does not block the event loop while it hashes', async () => {
    const pool = make({ ln: 13 });
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 0);
    await pool.hash('correct horse', newHashOptions());
    clearInterval(timer);
    expect(turns).to.be.greaterThan(2);
    await pool.close();
  });

  it('is replaced if it takes too long, and the job fails after the second thread', async () => {
    const pool = make({ ln: 15, deadline: 1 });
    const refusal = await pool.hash('correct horse', newHashOptions()).catch((error: unknown) => error);
    expect(refusal).to.include({ kind: 'unavailable', code: 'hashing_failed' });
    const died = { level: 'warn', event: 'hashing.child_died', fields: { reason: 'no answer in time' } };
    expect(log.lines).to.deep.equal([died, died]);
    await pool.close();
  });

  it('is terminated when the pool closes', async () => {
    const terminate = sinon.spy(Worker.prototype, 'terminate');
    const pool = make({ ln: 8 });
    await pool.hash('correct horse', newHashOptions());
    await pool.close();
    expect(terminate.callCount).to.equal(1);
    expect(log.lines).to.deep.equal([]);
  });
});
