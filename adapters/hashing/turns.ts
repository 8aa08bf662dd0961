import { unavailable } from '../../core/errors.ts';

export interface TurnLimits {
  /** How many tasks run at once. */
  readonly lanes: number;
  /** How many more may wait. */
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
  /** Throws `unavailable` (`busy`) without having begun the task when there is no turn for it in time. */
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Refuses what waits and what comes, and waits for what runs. */
  close(): Promise<void>;
  stats(): TurnStats;
}

interface Waiter {
  readonly since: number;
  begin(): void;
  refuse(): void;
}

const busy = () =>
  unavailable('busy', 'Too many passwords are being checked at once; try again in a moment.', 2);

/** Lets a few tasks run at once and a few more wait, in order of arrival; the rest is refused at once. */
export const makeTurns = ({ lanes, queue, maxWait }: TurnLimits): Turns => {
  const waiting: Waiter[] = [];
  let running = 0;
  let lastWaitMs = 0;
  let closed = false;
  let onDrained = () => {};
  const drained = new Promise<void>((resolve) => {
    onDrained = resolve;
  });

  const wait = () =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(waiter), 1);
        waiter.refuse();
      }, maxWait);
      const waiter: Waiter = {
        since: performance.now(),
        begin: () => {
          clearTimeout(timer);
          resolve();
        },
        refuse: () => {
          clearTimeout(timer);
          reject(busy());
        },
      };
      waiting.push(waiter);
    });

  /** Hands the lane to the next in time; a late timer must not let the others through. */
  const passOn = () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      lastWaitMs = performance.now() - next.since;
      if (lastWaitMs < maxWait) return next.begin();
      next.refuse();
    }
    running -= 1;
    if (closed && running === 0) onDrained();
  };

  return {
    run: async (task) => {
      if (closed) throw busy();
      if (running < lanes) {
        running += 1;
        lastWaitMs = 0;
      } else if (waiting.length < queue) await wait();
      else throw busy();
      try {
        return await task();
      } finally {
        passOn();
      }
    },
    close: () => {
      closed = true;
      for (const waiter of waiting.splice(0)) waiter.refuse();
      if (running === 0) onDrained();
      return drained;
    },
    stats: () => ({ running, queued: waiting.length, lastWaitMs }),
  };
};
