import type { HashedFor } from '../../core/accounts/ports.ts';
import { makeParties, type Party } from './parties.ts';
import { busy, makeWaitingTasks, type Waiter } from './waiting-tasks.ts';

export interface QueueLimits {
  /** The most tasks that run at once. */
  readonly lanes: number;
  /** The most tasks that wait. */
  readonly queue: number;
  /** The longest wait of a task, in milliseconds. */
  readonly maxWait: number;
}

export interface QueueStats {
  readonly running: number;
  readonly queued: number;
  /** The wait of the task that began last, in milliseconds. */
  readonly lastWaitMs: number;
}

export interface FairQueue {
  /**
   * Runs the task when it is its turn. Without a turn in time it throws and never begins: `unavailable` (`busy`), or
   * `throttled` (`too_many_at_once`) if other tasks of the same account or client are the reason.
   */
  run<T>(who: HashedFor, task: () => Promise<T>): Promise<T>;
  /** Refuses waiting and new tasks, and waits for running ones. */
  close(): Promise<void>;
  stats(): QueueStats;
}

/**
 * A bounded queue that is fair to accounts and clients. A few tasks run at once, a few more wait, the rest is refused.
 * A free lane goes to the task whose account and client had their last turn longest ago, so that many tasks of one of
 * them delay others by only one turn. See decision 0008.
 */
export const makeFairQueue = ({ lanes, queue, maxWait }: QueueLimits): FairQueue => {
  const withParties = makeParties();
  const waiting = makeWaitingTasks(queue);
  let running = 0;
  let turn = 0;
  let lastWaitMs = 0;
  let closed = false;
  let onDrained = () => {};
  const drained = new Promise<void>((resolve) => {
    onDrained = resolve;
  });

  const noteTurn = (own: readonly Party[]) => {
    turn += 1;
    for (const party of own) party.lastTurn = turn;
  };

  const wait = (own: readonly Party[]) => {
    const refusal = waiting.admit(own);
    return new Promise<void>((resolve, reject) => {
      const waiter: Waiter = {
        since: performance.now(),
        own,
        begin: () => {
          clearTimeout(timer);
          noteTurn(own);
          resolve();
        },
        refuse: () => {
          clearTimeout(timer);
          reject(refusal());
        },
      };
      const timer = setTimeout(() => {
        waiting.remove(waiter);
        waiter.refuse();
      }, maxWait);
      waiting.add(waiter);
    });
  };

  /**
   * Gives the lane to the next task that is still in time. A timer that fires late must not favour the tasks behind it.
   */
  const passOn = () => {
    for (let next = waiting.takeNext(); next !== undefined; next = waiting.takeNext()) {
      lastWaitMs = performance.now() - next.since;
      if (lastWaitMs < maxWait) return next.begin();
      next.refuse();
    }
    running -= 1;
    if (closed && running === 0) onDrained();
  };

  /** Returns false if all lanes are taken. */
  const takeLane = (own: readonly Party[]): boolean => {
    if (running >= lanes) return false;
    running += 1;
    lastWaitMs = 0;
    noteTurn(own);
    return true;
  };

  return {
    run: async (who, task) => {
      if (closed) throw busy();
      return withParties(who, async (own) => {
        if (!takeLane(own)) await wait(own);
        try {
          return await task();
        } finally {
          passOn();
        }
      });
    },
    close: () => {
      closed = true;
      for (const waiter of waiting.takeAll()) waiter.refuse();
      if (running === 0) onDrained();
      return drained;
    },
    stats: () => ({ running, queued: waiting.length(), lastWaitMs }),
  };
};
