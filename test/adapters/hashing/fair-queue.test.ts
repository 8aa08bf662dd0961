import { expect } from 'chai';
import { type FairQueue, makeFairQueue } from '../../../adapters/hashing/fair-queue.ts';
import { somebody } from '../../contracts/samples.ts';

/** A task that ends when told to. */
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
    begun: () => starts,
  };
};

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: { code: string; facts: unknown }) => [error.code, error.facts],
  );

const BUSY = ['busy', { retryAfter: 2 }];

describe('A fair queue', () => {
  it('lets as many tasks run as there are lanes, and the others one after another in order', async () => {
    const fairQueue = makeFairQueue({ lanes: 2, queue: 9, maxWait: 60_000 });
    const order: number[] = [];
    let most = 0;
    await Promise.all(
      [0, 1, 2, 3, 4, 5, 6].map((number) =>
        fairQueue.run(somebody().for, async () => {
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

  it('refuses at once what finds the queue full', async () => {
    const fairQueue = makeFairQueue({ lanes: 1, queue: 1, maxWait: 60_000 });
    const task = heldTask();
    const all = [fairQueue.run(somebody().for, task.run), fairQueue.run(somebody().for, task.run)];
    expect(fairQueue.stats()).to.include({ running: 1, queued: 1 });
    expect(await codeOf(fairQueue.run(somebody().for, task.run))).to.deep.equal(BUSY);
    task.end();
    await Promise.all(all);
    expect(task.begun()).to.equal(2);
  });

  it('refuses what has waited too long, and never begins it', async () => {
    const fairQueue = makeFairQueue({ lanes: 1, queue: 2, maxWait: 10 });
    const task = heldTask();
    const late = heldTask();
    const first = fairQueue.run(somebody().for, task.run);
    expect(await codeOf(fairQueue.run(somebody().for, late.run))).to.deep.equal(BUSY);
    expect(fairQueue.stats()).to.include({ running: 1, queued: 0 });
    task.end();
    await first;
    expect(late.begun()).to.equal(0);
    expect(await codeOf(fairQueue.run(somebody().for, async () => {}))).to.equal('done');
  });

  it('does not begin what has waited too long even where the timer is late', async () => {
    const fairQueue = makeFairQueue({ lanes: 1, queue: 2, maxWait: 10 });
    const task = heldTask();
    const late = heldTask();
    const first = fairQueue.run(somebody().for, task.run);
    const second = codeOf(fairQueue.run(somebody().for, late.run));
    const blockedUntil = performance.now() + 15;
    while (performance.now() < blockedUntil);
    task.end();
    await first;
    expect(await second).to.deep.equal(BUSY);
    expect(late.begun()).to.equal(0);
    expect(fairQueue.stats().lastWaitMs).to.be.greaterThan(10);
  });

  it('passes the lane on when a task fails', async () => {
    const fairQueue = makeFairQueue({ lanes: 1, queue: 2, maxWait: 60_000 });
    const failed = fairQueue.run(somebody().for, () => Promise.reject(new Error('no')));
    const next = fairQueue.run(somebody().for, async () => 'served');
    expect(await failed.catch((error: Error) => error.message)).to.equal('no');
    expect(await next).to.equal('served');
  });

  it('ends with what runs, and refuses what waits and what comes later', async () => {
    const fairQueue = makeFairQueue({ lanes: 1, queue: 2, maxWait: 60_000 });
    const task = heldTask();
    const running = fairQueue.run(somebody().for, task.run);
    const waiting = codeOf(fairQueue.run(somebody().for, task.run));
    let isClosed = false;
    const closing = Promise.all([fairQueue.close(), fairQueue.close()]).then(() => {
      isClosed = true;
    });
    expect(await waiting).to.deep.equal(BUSY);
    expect(await codeOf(fairQueue.run(somebody().for, task.run))).to.deep.equal(BUSY);
    expect(isClosed).to.equal(false);
    task.end();
    await Promise.all([running, closing]);
    expect(task.begun()).to.equal(1);
    await fairQueue.close();
  });

  describe('shared by accounts and clients', () => {
    const who = (account: string, client: string) => ({ account, client });
    const TOO_MANY = ['too_many_at_once', { retryAfter: 2 }];

    /** One lane that is taken, and a list of the tasks that got it since. */
    const held = (queue: number) => {
      const fairQueue = makeFairQueue({ lanes: 1, queue, maxWait: 60_000 });
      const first = heldTask();
      const running = fairQueue.run(somebody().for, first.run);
      const order: string[] = [];
      const ask = (account: string, client: string) =>
        codeOf(fairQueue.run(who(account, client), async () => void order.push(`${account} at ${client}`)));
      const end = async () => {
        first.end();
        await running;
      };
      return { fairQueue, order, ask, end };
    };
    const several = <T>(count: number, ask: (place: number) => T): T[] =>
      Array.from({ length: count }, (_, place) => ask(place));

    const kinds: Readonly<Record<string, (place: number) => readonly [account: string, client: string]>> = {
      'an account two places, from whatever clients': (place) => ['ada', `client ${place}`],
      'a client two places, for whatever accounts': (place) => [`account ${place}`, 'one'],
    };
    for (const [what, own] of Object.entries(kinds)) {
      it(`gives ${what}, and leaves the others free`, async () => {
        const { ask, end } = held(4);
        const served = several(4, (place) => ask(...own(place)));
        served.push(ask('bob', 'two'), ask('cid', 'three'));
        expect(await ask('dan', 'four')).to.deep.equal(BUSY);
        await end();
        expect(await Promise.all(served)).to.deep.equal(several(6, () => 'done'));
      });
    }

    it('lets as many of one wait as there are places', async () => {
      const { fairQueue, ask, end } = held(4);
      const served = several(4, (place) => ask('ada', `client ${place}`));
      expect(await ask('ada', 'elsewhere')).to.deep.equal(TOO_MANY);
      expect(fairQueue.stats().queued).to.equal(4);
      await end();
      await Promise.all(served);
      expect(await ask('ada', 'elsewhere')).to.equal('done');
    });

    it('goes round between accounts and between clients', async () => {
      const { order, ask, end } = held(16);
      const served = [
        ...several(3, (place) => ask('ada', `client ${place}`)),
        ...[ask('bob', 'one'), ask('cid', 'one'), ask('dan', 'two')],
      ];
      await end();
      await Promise.all(served);
      expect(order).to.deep.equal([
        ...['ada at client 0', 'bob at one', 'dan at two'],
        ...['ada at client 1', 'cid at one', 'ada at client 2'],
      ]);
    });

    it('gives a lane to others before whoever had the last one', async () => {
      const { fairQueue, order, ask, end } = held(16);
      const second = heldTask();
      const running = fairQueue.run(who('ada', 'one'), second.run);
      const served = several(8, () => ask('ada', 'one'));
      await end();
      served.push(ask('bob', 'two'));
      second.end();
      await Promise.all([running, ...served]);
      expect(order.slice(0, 2)).to.deep.equal(['bob at two', 'ada at one']);
      expect(order).to.have.length(9);
    });

    it('gives a second lane to one of them only while nobody else waits for it', async () => {
      const fairQueue = makeFairQueue({ lanes: 2, queue: 9, maxWait: 60_000 });
      const tasks: Record<string, ReturnType<typeof heldTask>> = {};
      const start = (name: string, account: string) => {
        const task = heldTask();
        tasks[name] = task;
        return fairQueue.run(who(account, `client of ${account}`), task.run);
      };
      const begun = () => Object.keys(tasks).filter((name) => tasks[name]?.begun() === 1);
      const all = [start('ada 1', 'ada'), start('bob 1', 'bob')];
      all.push(start('ada 2', 'ada'), start('ada 3', 'ada'), start('bob 2', 'bob'));
      tasks['bob 1']?.end();
      await all[1];
      expect(begun()).to.deep.equal(['ada 1', 'bob 1', 'bob 2']);
      tasks['bob 2']?.end();
      await all[4];
      expect(begun()).to.deep.equal(['ada 1', 'bob 1', 'ada 2', 'bob 2']);
      for (const task of Object.values(tasks)) task.end();
      await Promise.all(all);
      expect(fairQueue.stats()).to.include({ running: 0, queued: 0 });
    });

    it('tells those whom others of their own kept waiting too long', async () => {
      const fairQueue = makeFairQueue({ lanes: 1, queue: 4, maxWait: 10 });
      const first = heldTask();
      const running = fairQueue.run(somebody().for, first.run);
      const wait = () => codeOf(fairQueue.run(who('ada', 'one'), async () => {}));
      expect(await Promise.all(several(3, wait))).to.deep.equal([BUSY, BUSY, TOO_MANY]);
      expect(await wait()).to.deep.equal(BUSY);
      first.end();
      await running;
    });
  });

  describe('with costly tasks', () => {
    const start = (fairQueue: FairQueue, task: ReturnType<typeof heldTask>, isCostly: boolean) =>
      fairQueue.run(somebody().for, task.run, isCostly);

    it('runs one of them at a time, and leaves the other lanes to the others', async () => {
      const fairQueue = makeFairQueue({ lanes: 2, queue: 9, maxWait: 60_000 });
      const tasks = [heldTask(), heldTask(), heldTask(), heldTask()] as const;
      const [first, second, third, next] = tasks;
      const costly = [start(fairQueue, first, true), start(fairQueue, second, true)];
      const others = [start(fairQueue, third, false), start(fairQueue, next, false)];
      expect(tasks.map((task) => task.begun())).to.deep.equal([1, 0, 1, 0]);
      third.end();
      await others[0];
      expect(tasks.map((task) => task.begun())).to.deep.equal([1, 0, 1, 1]);
      next.end();
      await others[1];
      expect(second.begun()).to.equal(0);
      first.end();
      await costly[0];
      expect(second.begun()).to.equal(1);
      second.end();
      await costly[1];
      expect(fairQueue.stats()).to.include({ running: 0, queued: 0 });
    });

    it('runs one of them beside the only lane', async () => {
      const fairQueue = makeFairQueue({ lanes: 1, queue: 9, maxWait: 60_000 });
      const tasks = [heldTask(), heldTask(), heldTask(), heldTask()] as const;
      const [first, second, third, next] = tasks;
      const all = [start(fairQueue, first, true), start(fairQueue, second, true)];
      all.push(start(fairQueue, third, false), start(fairQueue, next, false));
      expect(tasks.map((task) => task.begun())).to.deep.equal([1, 0, 1, 0]);
      first.end();
      await all[0];
      expect(tasks.map((task) => task.begun())).to.deep.equal([1, 1, 1, 0]);
      third.end();
      await all[2];
      expect(next.begun()).to.equal(1);
      for (const task of tasks) task.end();
      await Promise.all(all);
      expect(fairQueue.stats()).to.include({ running: 0, queued: 0 });
    });

    it('gives two places to all of them, of whatever account and client', async () => {
      const fairQueue = makeFairQueue({ lanes: 1, queue: 4, maxWait: 60_000 });
      const task = heldTask();
      const all = Array.from({ length: 5 }, () => start(fairQueue, task, true));
      expect(await codeOf(start(fairQueue, task, true))).to.deep.equal(BUSY);
      all.push(...Array.from({ length: 3 }, () => start(fairQueue, task, false)));
      expect(await codeOf(start(fairQueue, task, false))).to.deep.equal(BUSY);
      expect(fairQueue.stats()).to.include({ running: 2, queued: 6 });
      task.end();
      await Promise.all(all);
      expect(task.begun()).to.equal(8);
    });

    it('refuses as busy those that waited too long behind them', async () => {
      const fairQueue = makeFairQueue({ lanes: 2, queue: 9, maxWait: 10 });
      const task = heldTask();
      const running = start(fairQueue, task, true);
      const waiting = Array.from({ length: 3 }, () => codeOf(start(fairQueue, task, true)));
      expect(await Promise.all(waiting)).to.deep.equal([BUSY, BUSY, BUSY]);
      task.end();
      await running;
      expect(task.begun()).to.equal(1);
    });
  });
});
