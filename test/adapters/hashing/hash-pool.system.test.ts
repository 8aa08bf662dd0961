import { once } from 'node:events';
import { availableParallelism, getPriority } from 'node:os';
import { expect } from 'chai';
import { type HashPool, type HashPoolOptions, makeHashPool } from '../../../adapters/hashing/hash-pool.ts';
import { testPasswordHasher } from '../../contracts/password-hasher.ts';
import { newHashOptions } from '../../contracts/samples.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { isRunning, watchChildren } from './started-children.ts';

/** The wait for a hash that a test allows on a busy machine, unless it tests waiting. */
const LONG_WAIT_MS = 120_000;

testPasswordHasher('child processes', ({ cost, log, queue }) => {
  const pool = makeHashPool({ cost, log, queue, workers: 1, maxWait: LONG_WAIT_MS });
  return { hasher: pool, close: pool.close };
});

const cost = { ln: 8, r: 8, p: 1 };
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => 'none',
    ({ kind, code, facts }) => ({ kind, code, facts }),
  );
const BUSY = { kind: 'unavailable', code: 'busy', facts: { retryAfter: 2 } };

describe('The hash pool', () => {
  const log = makeRecordingLog();
  let pools: HashPool[] = [];
  let watch: ReturnType<typeof watchChildren>;
  const make = (options: Partial<HashPoolOptions> = {}) => {
    const pool = makeHashPool({ cost, log, workers: 1, maxWait: LONG_WAIT_MS, ...options });
    pools.push(pool);
    return pool;
  };
  const child = (at = 0) => {
    const startedChild = watch.children[at];
    if (startedChild?.pid === undefined) throw new Error('No such child was started.');
    return Object.assign(startedChild, { pid: startedChild.pid });
  };
  beforeEach(() => {
    watch = watchChildren();
    log.lines.splice(0);
  });
  afterEach(async () => {
    watch.stop();
    await Promise.all(pools.map((pool) => pool.close()));
    pools = [];
  });

  it('starts no child before the first password, and at most one per worker', async () => {
    const pool = make({ workers: 2 });
    expect(watch.children).to.have.length(0);
    await Promise.all(Array.from({ length: 8 }, () => pool.hash('correct horse', newHashOptions())));
    expect(watch.children).to.have.length(2);
    expect(pool.stats()).to.include({ running: 0, queued: 0 });
  });

  it('has one worker per core and a queue of 16 by default', async () => {
    const pool = makeHashPool({ cost, log, maxWait: LONG_WAIT_MS });
    pools.push(pool);
    const served = Array.from({ length: availableParallelism() + 16 }, () =>
      pool.hash('correct horse', newHashOptions()),
    );
    expect(pool.stats()).to.include({ running: availableParallelism(), queued: 16 });
    expect(await refusal(pool.hash('correct horse', newHashOptions()))).to.deep.equal(BUSY);
    await Promise.all(served);
  });

  it('uses a child that was started in advance', async () => {
    const pool = make();
    pool.start();
    pool.start();
    expect(watch.children).to.have.length(1);
    await pool.hash('correct horse', newHashOptions());
    expect(watch.children).to.have.length(1);
  });

  it('runs its children at low priority, and keeps passwords out of their arguments', async () => {
    // A priority cannot be raised again, so the children of a low-priority parent stay at least as low.
    const priority = getPriority();
    const niceness = Math.min(19, Math.max(0, priority) + 3);
    const pool = make({ niceness });
    await pool.hash('correct horse', newHashOptions());
    expect(getPriority(child().pid)).to.equal(niceness);
    expect(child().spawnargs.join(' ')).to.not.include('correct horse');
    expect(child().spawnargs.at(-1)).to.equal(String(niceness));
  });

  it('refuses a hash that waited too long for a busy child', async () => {
    const pool = make({ maxWait: 20 });
    const first = pool.hash('correct horse', newHashOptions());
    child().kill('SIGSTOP');
    expect(await refusal(pool.hash('correct horse', newHashOptions()))).to.deep.equal(BUSY);
    expect(pool.stats()).to.include({ running: 1, queued: 0 });
    child().kill('SIGCONT');
    expect(await first).to.match(/^\$scrypt\$/);
  });

  for (const workers of [1, 2])
    it(`serves other hashes while two costly ones are verified, with workers: ${workers}`, async () => {
      const pool = make({ workers });
      const costly = `$scrypt$ln=16,r=8,p=8$${'A'.repeat(22)}$${'A'.repeat(43)}`;
      expect(pool.accepts(costly)).to.equal(true);
      let ended = 0;
      const checks = [1, 2].map(() =>
        refusal(pool.verify('correct horse', costly, newHashOptions())).then(() => {
          ended += 1;
        }),
      );
      const others = Array.from({ length: 12 }, () => refusal(pool.hash('correct horse', newHashOptions())));
      expect(await Promise.all(others)).to.deep.equal(others.map(() => 'none'));
      expect(ended).to.equal(0);
      await Promise.all(checks);
    });

  it('repeats the job of a child that died in another child', async () => {
    const pool = make();
    const hash = pool.hash('correct horse', newHashOptions());
    child().kill('SIGSTOP');
    child().kill('SIGKILL');
    expect(await pool.verify('correct horse', await hash, newHashOptions())).to.deep.equal({
      isCorrect: true,
      isOutdated: false,
    });
    expect(watch.children).to.have.length(2);
    expect(log.lines).to.deep.equal([
      { level: 'warn', event: 'hashing.child_died', fields: { reason: 'SIGKILL' } },
    ]);
  });

  it('fails a job if its second child dies too, and serves the next', async () => {
    const pool = make();
    const hash = refusal(pool.hash('correct horse', newHashOptions()));
    // The second child must die before it can answer.
    const killing = watchChildren((second) => second.kill('SIGKILL'));
    child().kill('SIGKILL');
    expect(await hash).to.deep.equal({
      kind: 'unavailable',
      code: 'hashing_failed',
      facts: { retryAfter: 2 },
    });
    killing.stop();
    expect(watch.children).to.have.length(2);
    expect(await pool.hash('correct horse', newHashOptions())).to.match(/^\$scrypt\$/);
  });

  it('replaces a child that died while idle, and still allows the next job two attempts', async () => {
    const pool = make();
    await pool.hash('correct horse', newHashOptions());
    const exited = once(child(), 'exit');
    child().kill('SIGKILL');
    await exited;
    const hash = pool.hash('correct horse', newHashOptions());
    child(1).kill('SIGKILL');
    expect(await hash).to.match(/^\$scrypt\$/);
    expect(watch.children).to.have.length(3);
  });

  it('replaces a child that hangs, and repeats its job', async () => {
    // On a busy machine a low-priority child takes seconds to start, which count against the deadline.
    const pool = make({ niceness: 0, deadline: 10_000 });
    await pool.hash('correct horse', newHashOptions());
    child().kill('SIGSTOP');
    expect(await pool.hash('correct horse', newHashOptions())).to.match(/^\$scrypt\$/);
    expect(watch.children).to.have.length(2);
    expect(isRunning(child().pid)).to.equal(false);
    expect(log.lines).to.deep.equal([
      { level: 'warn', event: 'hashing.child_died', fields: { reason: 'no answer in time' } },
    ]);
    expect(pool.stats()).to.include({ running: 0, queued: 0 });
  });

  it('keeps its children alive on SIGINT and SIGTERM', async () => {
    const pool = make();
    await pool.hash('correct horse', newHashOptions());
    child().kill('SIGINT');
    child().kill('SIGTERM');
    await pool.hash('correct horse', newHashOptions());
    expect(watch.children).to.have.length(1);
  });

  it('closes after the running job, refuses waiting and later ones and leaves no child', async () => {
    const pool = make();
    const running = pool.hash('correct horse', newHashOptions());
    const waiting = refusal(pool.hash('correct horse', newHashOptions()));
    const closing = pool.close();
    expect(await waiting).to.deep.equal(BUSY);
    expect(await running).to.match(/^\$scrypt\$/);
    await closing;
    expect(await refusal(pool.hash('correct horse', newHashOptions()))).to.deep.equal(BUSY);
    pool.start();
    expect(watch.children.map(({ pid = 0 }) => isRunning(pid))).to.deep.equal([false]);
    expect(log.lines).to.deep.equal([]);
  });
});
