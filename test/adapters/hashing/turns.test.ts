import { expect } from 'chai';
import { makeTurns } from '../../../adapters/hashing/turns.ts';

/** A task that ends when told to. */
const heldTask = () => {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let begun = 0;
  return {
    run: () => {
      begun += 1;
      return ended;
    },
    end: () => end(),
    begun: () => begun,
  };
};

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: { code: string; facts: unknown }) => [error.code, error.facts],
  );

const BUSY = ['busy', { retryAfter: 2 }];

describe('Turns', () => {
  it('let as many tasks run as there are lanes, and the others one after another in order', async () => {
    const turns = makeTurns({ lanes: 2, queue: 9, maxWait: 60_000 });
    const order: number[] = [];
    let most = 0;
    await Promise.all(
      [0, 1, 2, 3, 4, 5, 6].map((number) =>
        turns.run(async () => {
          order.push(number);
          most = Math.max(most, turns.stats().running);
          await new Promise(setImmediate);
        }),
      ),
    );
    expect(order).to.deep.equal([0, 1, 2, 3, 4, 5, 6]);
    expect(most).to.equal(2);
    expect(turns.stats()).to.include({ running: 0, queued: 0 });
  });

  it('refuse at once what finds the queue full', async () => {
    const turns = makeTurns({ lanes: 1, queue: 1, maxWait: 60_000 });
    const held = heldTask();
    const all = [turns.run(held.run), turns.run(held.run)];
    expect(turns.stats()).to.include({ running: 1, queued: 1 });
    expect(await codeOf(turns.run(held.run))).to.deep.equal(BUSY);
    held.end();
    await Promise.all(all);
    expect(held.begun()).to.equal(2);
  });

  it('refuse what has waited too long, and never begin it', async () => {
    const turns = makeTurns({ lanes: 1, queue: 2, maxWait: 10 });
    const held = heldTask();
    const late = heldTask();
    const first = turns.run(held.run);
    expect(await codeOf(turns.run(late.run))).to.deep.equal(BUSY);
    expect(turns.stats()).to.include({ running: 1, queued: 0 });
    held.end();
    await first;
    expect(late.begun()).to.equal(0);
    expect(await codeOf(turns.run(async () => {}))).to.equal('done');
  });

  it('do not begin what has waited too long even where the timer is late', async () => {
    const turns = makeTurns({ lanes: 1, queue: 2, maxWait: 10 });
    const held = heldTask();
    const late = heldTask();
    const first = turns.run(held.run);
    const second = codeOf(turns.run(late.run));
    const blockedUntil = performance.now() + 15;
    while (performance.now() < blockedUntil);
    held.end();
    await first;
    expect(await second).to.deep.equal(BUSY);
    expect(late.begun()).to.equal(0);
    expect(turns.stats().lastWaitMs).to.be.greaterThan(10);
  });

  it('pass the lane on when a task fails', async () => {
    const turns = makeTurns({ lanes: 1, queue: 2, maxWait: 60_000 });
    const failed = turns.run(() => Promise.reject(new Error('no')));
    const next = turns.run(async () => 'served');
    expect(await failed.catch((error: Error) => error.message)).to.equal('no');
    expect(await next).to.equal('served');
  });

  it('end with what runs, and refuse what waits and what comes later', async () => {
    const turns = makeTurns({ lanes: 1, queue: 2, maxWait: 60_000 });
    const held = heldTask();
    const running = turns.run(held.run);
    const waiting = codeOf(turns.run(held.run));
    let isClosed = false;
    const closing = Promise.all([turns.close(), turns.close()]).then(() => {
      isClosed = true;
    });
    expect(await waiting).to.deep.equal(BUSY);
    expect(await codeOf(turns.run(held.run))).to.deep.equal(BUSY);
    expect(isClosed).to.equal(false);
    held.end();
    await Promise.all([running, closing]);
    expect(held.begun()).to.equal(1);
    await turns.close();
  });
});
