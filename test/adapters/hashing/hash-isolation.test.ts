import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeHashPool } from '../../../adapters/hashing/hash-pool.ts';
import { newHashOptions } from '../../contracts/samples.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';
import { isRunning } from './started-children.ts';

describe('Hashing in child processes', () => {
  const folder = useTempFolder();
  const pool = makeHashPool({ cost: { ln: 14, r: 8, p: 1 }, workers: 1, log: makeRecordingLog() });
  const parents: ChildProcess[] = [];
  const startParent = (task: 'leave' | 'stay') => {
    const parent = fork(new URL('./hashing-parent.js', import.meta.url), [task]);
    parents.push(parent);
    return parent;
  };
  afterEach(() => {
    for (const parent of parents.splice(0)) parent.kill('SIGKILL');
  });
  after(() => pool.close());

  it('does not block the event loop', async () => {
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await pool.hash('correct horse', newHashOptions());
    isDone = true;
    expect(turns).to.be.greaterThan(20);
  });

  it("uses none of libuv's threads", async () => {
    const fifo = join(folder(), 'fifo');
    execFileSync('mkfifo', [fifo]);
    // Each reader blocks a thread until a writer opens the pipe; the pending look-up proves that none is free.
    const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4);
    const readers = Array.from({ length: threads }, () => open(fifo, 'r'));
    let isFree = false;
    const lookUp = stat(folder()).then(() => {
      isFree = true;
    });
    await pool.hash('correct horse', newHashOptions());
    expect(isFree).to.equal(false);

    const writer = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK);
    for (const reader of await Promise.all(readers)) await reader.close();
    await lookUp;
    closeSync(writer);
  });

  it('ends when the parent is killed', async () => {
    const parent = startParent('stay');
    const [pids] = (await once(parent, 'message')) as [number[]];
    expect(pids.map(isRunning)).to.deep.equal([true, true]);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await until(() => !pids.some(isRunning));
  });

  it('keeps its parent alive only until the hashes are done', async () => {
    const parent = startParent('leave');
    const exited = once(parent, 'exit');
    const [pids] = (await once(parent, 'message')) as [number[]];
    expect(pids).to.have.length(2);
    expect(await exited).to.deep.equal([0, null]);
    await until(() => !pids.some(isRunning));
  });
});
