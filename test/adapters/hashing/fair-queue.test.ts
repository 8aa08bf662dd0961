import { expect } from 'chai';
import { type FairQueue, makeFairQueue } from '../../../adapters/hashing/fair-queue.ts';
import { newHashOptions } from '../../contracts/samples.ts';

/** A task that runs until `end` is called. */
const heldTask = () => {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let starts = 0;
  return {
    run: () => {
      starts += 1;
      return ended;
    },
    end: () => end(),
    countStarts: () => starts,
  };
};

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: { code: string; facts: unknown }) => [error.code, error.facts],
  );

const BUSY = ['busy', { retryAfter: 2 }];

describe('A fair queue', () => {
  it('runs as many tasks at once as it has lanes, and the others in order', async () => {
    const fairQueue = makeFairQueue({ lanes: 2, queue: 9, maxWait: 60_000 });
    const order: number[] = [];
    let most = 0;
    await Promise.all(
      [0, 1, 2, 3, 4, 5, 6].map((number) =>
        fairQueue.run(newHashOptions().for, async () => {
          order.push(number);
          most = Math.max(most, fairQueue.stats().running);
          await new Promise(setImmediate);
        }),
      ),
    );
    expect(order).to.deep.equal([0, 1, 2, 3, 4, 5, 6]);
    expect(most).to.equal(2);
    expect(fairQueue.stats()).to.include({ running: 0, queued: 0 });
  });

  it('refuses a task at once if the queue is full', async () => {
    const fairQueue = makeFairQueue({ lanes: 1, queue: 1, maxWait: 60_000 });
    const task = heldTask();
    const all = [
      fairQueue.run(newHashOptions().for, task.run),
      fairQueue.run(newHashOptions().for, task.run),
    ];
    expect(fairQueue.stats()).to.include({ running: 1, queued: 1 });
    expect(await codeOf(fairQueue.run(newHashOptions().for, task.run))).to.deep.equal(BUSY);
    task.end();
    await Promise.all(all);
    expect(task.countStarts()).to.equal(2);
  });

  it('refuses a task that waited too long, and never starts it', async () => {
    const fairQueue = makeFairQueue({ lanes: 1, queue: 2, maxWait: 10 });
    const task = heldTask();
    const late = heldTask();
    const first = fairQueue.run(newHashOptions().for, task.run);
    expect(await codeOf(fairQueue.run(newHashOptions().for, late.run))).to.deep.equal(BUSY);
    expect(fairQueue.stats()).to.include({ running: 1, queued: 0 });
    task.end();
    await first;
    expect(late.countStarts()).to.equal(0);
    expect(await codeOf(fairQueue.run(newHashOptions().for, async () => {}))).to.equal('done');
  });

  it('does not start a task that waited too long even if the timer is late', async () => {
    const fairQueue = makeFairQueue({ lanes: 1, queue: 2, maxWait: 10 });
    const task = heldTask();
    const late = heldTask();
    const first = fairQueue.run(newHashOptions().for, task.run);
    const second = codeOf(fairQueue.run(newHashOptions().for, late.run));
    const blockedUntil = performance.now() + 15;
    while (performance.now() < blockedUntil);
    task.end();
    await first;
    expect(await second).to.deep.equal(BUSY);
    expect(late.countStarts()).to.equal(0);
    expect(fairQueue.stats().lastWaitMs).to.be.greaterThan(10);
  });

  it('passes the lane on if a task fails', async () => {
    const fairQueue = makeFairQueue({ lanes: 1, queue: 2, maxWait: 60_000 });
    const failed = fairQueue.run(newHashOptions().for, () => Promise.reject(new Error('no')));
    const next = fairQueue.run(newHashOptions().for, async () => 'served');
    expect(await failed.catch((error: Error) => error.message)).to.equal('no');
    expect(await next).to.equal('served');
  });

  it('closes after the running task, and refuses waiting and later tasks', async () => {
    const fairQueue = makeFairQueue({ lanes: 1, queue: 2, maxWait: 60_000 });
    const task = heldTask();
    const running = fairQueue.run(newHashOptions().for, task.run);
    const waiting = codeOf(fairQueue.run(newHashOptions().for, task.run));
    let isClosed = false;
    const closing = Promise.all([fairQueue.close(), fairQueue.close()]).then(() => {
      isClosed = true;
    });
    expect(await waiting).to.deep.equal(BUSY);
    expect(await codeOf(fairQueue.run(newHashOptions().for, task.run))).to.deep.equal(BUSY);
    expect(isClosed).to.equal(false);
    task.end();
    await Promise.all([running, closing]);
    expect(task.countStarts()).to.equal(1);
    await fairQueue.close();
  });

  describe('shared by accounts and clients', () => {
    const key = (account: string, client: string) => ({ account, client });
    const TOO_MANY = ['too_many_at_once', { retryAfter: 2 }];

    /** A queue with one busy lane, and the order in which later tasks ran. */
    const busyQueue = (queue: number) => {
      const fairQueue = makeFairQueue({ lanes: 1, queue, maxWait: 60_000 });
      const first = heldTask();
      const running = fairQueue.run(newHashOptions().for, first.run);
      const order: string[] = [];
      const enqueue = (account: string, client: string) =>
        codeOf(fairQueue.run(key(account, client), async () => void order.push(`${account} at ${client}`)));
      const end = async () => {
        first.end();
        await running;
      };
      return { fairQueue, order, enqueue, end };
    };
    const several = <T>(count: number, make: (place: number) => T): T[] =>
      Array.from({ length: count }, (_, place) => make(place));

    const kinds: Readonly<Record<string, (place: number) => readonly [account: string, client: string]>> = {
      'one account with several clients': (place) => ['ada', `client ${place}`],
      'one client with several accounts': (place) => [`account ${place}`, 'one'],
    };
    for (const [label, callerAt] of Object.entries(kinds)) {
      it(`charges ${label} for two places at most, and leaves the others free`, async () => {
        const { enqueue, end } = busyQueue(4);
        const served = several(4, (place) => enqueue(...callerAt(place)));
        served.push(enqueue('bob', 'two'), enqueue('cid', 'three'));
        expect(await enqueue('dan', 'four')).to.deep.equal(BUSY);
        await end();
        expect(await Promise.all(served)).to.deep.equal(several(6, () => 'done'));
      });
    }

    it('refuses an account with as many waiting tasks as there are places', async () => {
      const { fairQueue, enqueue, end } = busyQueue(4);
      const served = several(4, (place) => enqueue('ada', `client ${place}`));
      expect(await enqueue('ada', 'elsewhere')).to.deep.equal(TOO_MANY);
      expect(fairQueue.stats().queued).to.equal(4);
      await end();
      await Promise.all(served);
      expect(await enqueue('ada', 'elsewhere')).to.equal('done');
    });

    it('alternates between accounts and between clients', async () => {
      const { order, enqueue, end } = busyQueue(16);
      const served = [
        ...several(3, (place) => enqueue('ada', `client ${place}`)),
        ...[enqueue('bob', 'one'), enqueue('cid', 'one'), enqueue('dan', 'two')],
      ];
      await end();
      await Promise.all(served);
      expect(order).to.deep.equal([
        ...['ada at client 0', 'bob at one', 'dan at two'],
        ...['ada at client 1', 'cid at one', 'ada at client 2'],
      ]);
    });

    it('serves other callers before the caller that had the lane last', async () => {
      const { fairQueue, order, enqueue, end } = busyQueue(16);
      const second = heldTask();
      const running = fairQueue.run(key('ada', 'one'), second.run);
      const served = several(8, () => enqueue('ada', 'one'));
      await end();
      served.push(enqueue('bob', 'two'));
      second.end();
      await Promise.all([running, ...served]);
      expect(order.slice(0, 2)).to.deep.equal(['bob at two', 'ada at one']);
      expect(order).to.have.length(9);
    });

    it('runs a second task of an account only while no other account waits', async () => {
      const fairQueue = makeFairQueue({ lanes: 2, queue: 9, maxWait: 60_000 });
      const tasks: Record<string, ReturnType<typeof heldTask>> = {};
      const start = (name: string, account: string) => {
        const task = heldTask();
        tasks[name] = task;
        return fairQueue.run(key(account, `client of ${account}`), task.run);
      };
      const started = () => Object.keys(tasks).filter((name) => tasks[name]?.countStarts() === 1);
      const all = [start('ada 1', 'ada'), start('bob 1', 'bob')];
      all.push(start('ada 2', 'ada'), start('ada 3', 'ada'), start('bob 2', 'bob'));
      tasks['bob 1']?.end();
      await all[1];
      expect(started()).to.deep.equal(['ada 1', 'bob 1', 'bob 2']);
      tasks['bob 2']?.end();
      await all[4];
      expect(started()).to.deep.equal(['ada 1', 'bob 1', 'ada 2', 'bob 2']);
      for (const task of Object.values(tasks)) task.end();
      await Promise.all(all);
      expect(fairQueue.stats()).to.include({ running: 0, queued: 0 });
    });

    it('times out with too_many_at_once for the third waiting task of a caller', async () => {
      const fairQueue = makeFairQueue({ lanes: 1, queue: 4, maxWait: 10 });
      const first = heldTask();
      const running = fairQueue.run(newHashOptions().for, first.run);
      const wait = () => codeOf(fairQueue.run(key('ada', 'one'), async () => {}));
      expect(await Promise.all(several(3, wait))).to.deep.equal([BUSY, BUSY, TOO_MANY]);
      expect(await wait()).to.deep.equal(BUSY);
      first.end();
      await running;
    });
  });

  describe('with costly tasks', () => {
    const start = (fairQueue: FairQueue, task: ReturnType<typeof heldTask>, isCostly: boolean) =>
      fairQueue.run(newHashOptions().for, task.run, isCostly);

    it('runs one costly task at a time, and leaves the other lanes free', async () => {
      const fairQueue = makeFairQueue({ lanes: 2, queue: 9, maxWait: 60_000 });
      const tasks = [heldTask(), heldTask(), heldTask(), heldTask()] as const;
      const [first, second, third, next] = tasks;
      const costly = [start(fairQueue, first, true), start(fairQueue, second, true)];
      const others = [start(fairQueue, third, false), start(fairQueue, next, false)];
      expect(tasks.map((task) => task.countStarts())).to.deep.equal([1, 0, 1, 0]);
      third.end();
      await others[0];
      expect(tasks.map((task) => task.countStarts())).to.deep.equal([1, 0, 1, 1]);
      next.end();
      await others[1];
      expect(second.countStarts()).to.equal(0);
      first.end();
      await costly[0];
      expect(second.countStarts()).to.equal(1);
      second.end();
      await costly[1];
      expect(fairQueue.stats()).to.include({ running: 0, queued: 0 });
    });

    it('runs one costly task beside the only lane', async () => {
      const fairQueue = makeFairQueue({ lanes: 1, queue: 9, maxWait: 60_000 });
      const tasks = [heldTask(), heldTask(), heldTask(), heldTask()] as const;
      const [first, second, third, next] = tasks;
      const all = [start(fairQueue, first, true), start(fairQueue, second, true)];
      all.push(start(fairQueue, third, false), start(fairQueue, next, false));
      expect(tasks.map((task) => task.countStarts())).to.deep.equal([1, 0, 1, 0]);
      first.end();
      await all[0];
      expect(tasks.map((task) => task.countStarts())).to.deep.equal([1, 1, 1, 0]);
      third.end();
      await all[2];
      expect(next.countStarts()).to.equal(1);
      for (const task of tasks) task.end();
      await Promise.all(all);
      expect(fairQueue.stats()).to.include({ running: 0, queued: 0 });
    });

    it('charges all costly tasks together for two places at most', async () => {
      const fairQueue = makeFairQueue({ lanes: 1, queue: 4, maxWait: 60_000 });
      const task = heldTask();
      const all = Array.from({ length: 5 }, () => start(fairQueue, task, true));
      expect(await codeOf(start(fairQueue, task, true))).to.deep.equal(BUSY);
      all.push(...Array.from({ length: 3 }, () => start(fairQueue, task, false)));
      expect(await codeOf(start(fairQueue, task, false))).to.deep.equal(BUSY);
      expect(fairQueue.stats()).to.include({ running: 2, queued: 6 });
      task.end();
      await Promise.all(all);
      expect(task.countStarts()).to.equal(8);
    });

    it('refuses costly tasks as busy if they waited too long behind another', async () => {
      const fairQueue = makeFairQueue({ lanes: 2, queue: 9, maxWait: 10 });
      const task = heldTask();
      const running = start(fairQueue, task, true);
      const waiting = Array.from({ length: 3 }, () => codeOf(start(fairQueue, task, true)));
      expect(await Promise.all(waiting)).to.deep.equal([BUSY, BUSY, BUSY]);
      task.end();
      await running;
      expect(task.countStarts()).to.equal(1);
    });
  });
});
