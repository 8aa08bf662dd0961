import type { HashedFor } from '../../core/accounts/ports.ts';
import { busy, makeLine, type Waiter } from './line.ts';
import { makeParties, type Party } from './parties.ts';

export interface TurnLimits {
  /** How many tasks run at once. */
  readonly lanes: number;
  /** Places for more that wait. */
  readonly queue: number;
  /** How long each of them may, milliseconds. */
  readonly maxWait: number;
}

export interface TurnStats {
  readonly running: number;
  readonly queued: number;
  /** How long the task begun last had waited, milliseconds. */
  readonly lastWaitMs: number;
}

export interface Turns {
  /**
   * Throws without having begun the task when there is no turn for it in time: `unavailable` (`busy`), or `throttled`
   * (`too_many_at_once`) where that is because of other tasks of its account or client.
   */
  run<T>(who: HashedFor, task: () => Promise<T>): Promise<T>;
  /** Refuses what waits and what comes, and waits for what runs. */
  close(): Promise<void>;
  stats(): TurnStats;
}

/**
 * Lets a few tasks run at once and a few more wait; the rest is refused at once. A free lane goes to the task whose
 * account and client had their last turn longest ago, so that many tasks of one of them delay others by one turn.
 * See decision 0008.
 */
export const makeTurns = ({ lanes, queue, maxWait }: TurnLimits): Turns => {
  const withParties = makeParties();
  const line = makeLine(queue);
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
    const refusal = line.admit(own);
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
        line.remove(waiter);
        waiter.refuse();
      }, maxWait);
      line.add(waiter);
    });
  };

  /** Hands the lane to the next in time; a late timer must not let the others through. */
  const passOn = () => {
    for (let next = line.takeNext(); next !== undefined; next = line.takeNext()) {
      lastWaitMs = performance.now() - next.since;
      if (lastWaitMs < maxWait) return next.begin();
      next.refuse();
    }
    running -= 1;
    if (closed && running === 0) onDrained();
  };

  /** False when every lane is taken. */
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
      for (const waiter of line.takeAll()) waiter.refuse();
      if (running === 0) onDrained();
      return drained;
    },
    stats: () => ({ running, queued: line.length(), lastWaitMs }),
  };
};
