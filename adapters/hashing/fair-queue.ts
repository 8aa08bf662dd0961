import type { HashedFor } from '../../core/accounts/ports.ts';
import { type Client, makeClients } from './clients.ts';
import { busy, makeWaitingTasks, type Waiter } from './waiting-tasks.ts';

export interface QueueLimits {
  /** The most tasks that run at once. If it is 1, a costly task may run beside another task. */
  readonly lanes: number;
  /** The most tasks that wait. */
  readonly queue: number;
  /** The longest wait of a task, in milliseconds. */
  readonly maxWait: number;
}

export interface QueueStats {
  readonly running: number;
  readonly queued: number;
  /** The wait of the last started task, in milliseconds. */
  readonly lastWaitMs: number;
}

export interface FairQueue {
  /**
   * Runs the task at its turn. If the turn does not come in time, the task never starts and the call throws `unavailable`
   * (`busy`), or `throttled` (`too_many_at_once`) if other tasks of the same account or client are the reason. Only one
   * costly task runs at a time.
   */
  run<T>(hashedFor: HashedFor, task: () => Promise<T>, isCostly?: boolean): Promise<T>;
  /** Rejects waiting and new tasks, and waits for running tasks. */
  close(): Promise<void>;
  stats(): QueueStats;
}

/**
 * A bounded queue that is fair to accounts and clients. A few tasks run at once, a few more wait, the rest is rejected.
 * A free lane goes to the task whose account and client had their last turn longest ago, so that many tasks of one account
 * or client delay others by only one turn. While others wait, an account or client gets one lane. See decision 0008.
 */
export const makeFairQueue = ({ lanes, queue, maxWait }: QueueLimits): FairQueue => {
  const withClients = makeClients();
  const waiting = makeWaitingTasks(queue);
  let running = 0;
  let costlyRunning = 0;
  let turn = 0;
  let lastWaitMs = 0;
  let closed = false;
  let onDrained = () => {};
  const drained = new Promise<void>((resolve) => {
    onDrained = resolve;
  });

  // A costly task takes seconds. In the only lane it would block everybody else.
  const isLaneFree = (isCostly: boolean): boolean => {
    if (isCostly && costlyRunning > 0) return false;
    if (lanes > 1) return running < lanes;
    return isCostly || running === costlyRunning;
  };

  const startTask = ({ clients, isCostly }: Pick<Waiter, 'clients' | 'isCostly'>) => {
    running += 1;
    if (isCostly) costlyRunning += 1;
    turn += 1;
    for (const client of clients) {
      client.running += 1;
      client.lastTurn = turn;
    }
  };

  const wait = (clients: readonly Client[], isCostly: boolean) => {
    const refusal = waiting.admit(clients, isCostly);
    return new Promise<void>((resolve, reject) => {
      const waiter: Waiter = {
        since: performance.now(),
        clients,
        isCostly,
        start: () => {
          clearTimeout(timer);
          startTask(waiter);
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
   * Gives the lane to the next task that is still in time. A late timer must not favour the tasks behind it.
   */
  const passOn = () => {
    const takeNext = () => waiting.takeNext(({ isCostly }) => isLaneFree(isCostly));
    for (let waiter = takeNext(); waiter !== undefined; waiter = takeNext()) {
      lastWaitMs = performance.now() - waiter.since;
      if (lastWaitMs < maxWait) return waiter.start();
      waiter.refuse();
    }
    if (closed && running === 0) onDrained();
  };

  const end = (clients: readonly Client[], isCostly: boolean) => {
    running -= 1;
    if (isCostly) costlyRunning -= 1;
    for (const client of clients) client.running -= 1;
    passOn();
  };

  /** Starts a task if a lane is free; returns whether it did. */
  const takeLane = (clients: readonly Client[], isCostly: boolean): boolean => {
    if (!isLaneFree(isCostly)) return false;
    lastWaitMs = 0;
    startTask({ clients, isCostly });
    return true;
  };

  return {
    run: async (hashedFor, task, isCostly = false) => {
      if (closed) throw busy();
      return withClients(hashedFor, async (clients) => {
        if (!takeLane(clients, isCostly)) await wait(clients, isCostly);
        try {
          return await task();
        } finally {
          end(clients, isCostly);
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
