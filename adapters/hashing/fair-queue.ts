import type { HashedFor } from '../../core/accounts/ports.ts';
import { CoreError, unavailable } from '../../core/errors.ts';

export interface QueueLimits {
  /** The most tasks that run at once. If it is 1, a costly task may run beside another task. */
  readonly lanes: number;
  /** The places for waiting tasks. An account, a client, and all costly tasks together take two of them at most (`SHARE`). */
  readonly queue: number;
  /** The longest wait of a task, in milliseconds. */
  readonly maxWait: number;
}

export interface QueueStats {
  readonly running: number;
  readonly queued: number;
  /** The wait of the last task whose turn came, even if too late, in milliseconds. */
  readonly lastWaitMs: number;
}

export interface FairQueue {
  /**
   * Runs the task at its turn. If it is not admitted or its turn comes too late, it never starts and the call throws
   * `unavailable` (`busy`), or `throttled` (`too_many_at_once`) if other tasks of the same account or client are the reason.
   * Only one costly task runs at a time.
   */
  run<T>(hashedFor: HashedFor, task: () => Promise<T>, isCostly?: boolean): Promise<T>;
  /** Rejects waiting and new tasks, and waits for running tasks. */
  close(): Promise<void>;
  stats(): QueueStats;
}

/** An account or a client that has running or waiting tasks. */
interface Party {
  tasks: number;
  running: number;
  /** The number of the last turn of one of its tasks; 0 before the first turn. */
  lastTurn: number;
}

/** Tracks the account and the client of each task while they have tasks. */
const makeParties = () => {
  const present = new Map<string, Party>();

  const addTask = (name: string): Party => {
    const entry = present.get(name) ?? { tasks: 0, running: 0, lastTurn: 0 };
    entry.tasks += 1;
    present.set(name, entry);
    return entry;
  };
  const removeTask = (name: string, entry: Party) => {
    entry.tasks -= 1;
    if (entry.tasks === 0) present.delete(name);
  };

  return async <T>(
    { account, client }: HashedFor,
    work: (parties: readonly Party[]) => Promise<T>,
  ): Promise<T> => {
    const names = [`account ${account}`, `client ${client}`];
    const entries = names.map((name) => [name, addTask(name)] as const);
    try {
      return await work(entries.map(([, entry]) => entry));
    } finally {
      for (const [name, entry] of entries) removeTask(name, entry);
    }
  };
};

interface Waiter {
  readonly since: number;
  /** The account and the client of the task. */
  readonly parties: readonly Party[];
  /** Whether the task may start only in the lane of costly tasks. */
  readonly isCostly: boolean;
  start(): void;
  refuse(): void;
}

/** The most places that an account, a client, or all costly tasks together take. Their further tasks wait, and take no place. */
const SHARE = 2;

/** Stands for all costly tasks when places are counted. */
const COSTLY: Party = { tasks: 0, running: 0, lastTurn: 0 };

const sharersOf = ({ parties, isCostly }: Pick<Waiter, 'parties' | 'isCostly'>): readonly Party[] =>
  isCostly ? [...parties, COSTLY] : parties;

const busy = () =>
  unavailable('busy', 'Too many passwords are being checked at once; try again in a moment.', 2);

const tooManyAtOnce = () =>
  new CoreError(
    'throttled',
    'too_many_at_once',
    'Too many passwords of this account or address are being checked at once; try again in a moment.',
    { retryAfter: 2 },
  );

const isRunning = ({ running }: Party) => running > 0;

const lastTurnOf = ({ parties }: Waiter) => Math.max(...parties.map(({ lastTurn }) => lastTurn));

/**
 * Whether a waiter starts before an earlier waiter. The waiter whose account and client run no task comes first; if that is
 * true of both waiters or of neither, the one whose account and client had their last turn longer ago.
 */
const isBefore = (later: Waiter, earlier: Waiter): boolean => {
  const laterRuns = later.parties.some(isRunning);
  const earlierRuns = earlier.parties.some(isRunning);
  if (laterRuns !== earlierRuns) return !laterRuns;
  return lastTurnOf(later) < lastTurnOf(earlier);
};

/** The waiting tasks of a hasher. An account takes at most two places, and so do a client and all costly tasks together. */
const makeWaitingTasks = (places: number) => {
  const waiting: Waiter[] = [];

  const countOf = (party: Party) => waiting.filter((waiter) => sharersOf(waiter).includes(party)).length;

  /** Counts the taken places, in total and by party. */
  const countPlaces = () => {
    const shares = new Map<Party, number>();
    const isWithin = (party: Party) => (shares.get(party) ?? 0) < SHARE;
    let placesTaken = 0;
    for (const waiter of waiting) {
      const sharers = sharersOf(waiter);
      if (!sharers.every(isWithin)) continue;
      placesTaken += 1;
      for (const party of sharers) shares.set(party, (shares.get(party) ?? 0) + 1);
    }
    return { placesTaken, isWithin };
  };

  return {
    /**
     * Admits a task, or throws. Returns the error for the case that its turn does not come in time. A task beyond a share waits,
     * too, and takes no place. Of each account, of each client, and of all costly tasks at most `places` tasks wait.
     */
    admit: (parties: readonly Party[], isCostly: boolean): (() => CoreError) => {
      if (parties.some((party) => countOf(party) >= places)) throw tooManyAtOnce();
      if (isCostly && countOf(COSTLY) >= places) throw busy();
      const { placesTaken, isWithin } = countPlaces();
      if (!parties.every(isWithin)) return tooManyAtOnce;
      if (isCostly && !isWithin(COSTLY)) return busy;
      if (placesTaken >= places) throw busy();
      return busy;
    },
    add: (waiter: Waiter) => {
      waiting.push(waiter);
    },
    remove: (waiter: Waiter) => {
      waiting.splice(waiting.indexOf(waiter), 1);
    },
    /** Takes the next task that may start, by `isBefore`; among equals the first that came. */
    takeNext: (mayStart: (waiter: Waiter) => boolean): Waiter | undefined => {
      let nextWaiter: Waiter | undefined;
      for (const waiter of waiting)
        if (mayStart(waiter) && (nextWaiter === undefined || isBefore(waiter, nextWaiter)))
          nextWaiter = waiter;
      if (nextWaiter !== undefined) waiting.splice(waiting.indexOf(nextWaiter), 1);
      return nextWaiter;
    },
    takeAll: (): readonly Waiter[] => waiting.splice(0),
    length: () => waiting.length,
  };
};

/**
 * A bounded queue that is fair to accounts and clients. A few tasks run at once, a few more wait, the rest is rejected.
 * A free lane goes to the task whose account and client had their last turn longest ago, so that many tasks of one account
 * or client delay others by only one turn. While others wait, an account or client gets one lane. See decision 0008.
 */
export const makeFairQueue = ({ lanes, queue, maxWait }: QueueLimits): FairQueue => {
  const withParties = makeParties();
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

  // A costly task takes seconds. In the only lane it would block everybody else, so it runs beside that lane.
  const isLaneFree = (isCostly: boolean): boolean => {
    if (isCostly && costlyRunning > 0) return false;
    if (lanes > 1) return running < lanes;
    const isOnlyLaneFree = running === costlyRunning;
    return isCostly || isOnlyLaneFree;
  };

  const startTask = ({ parties, isCostly }: Pick<Waiter, 'parties' | 'isCostly'>) => {
    running += 1;
    if (isCostly) costlyRunning += 1;
    turn += 1;
    for (const party of parties) {
      party.running += 1;
      party.lastTurn = turn;
    }
  };

  const wait = (parties: readonly Party[], isCostly: boolean) => {
    const refusal = waiting.admit(parties, isCostly);
    return new Promise<void>((resolve, reject) => {
      const waiter: Waiter = {
        since: performance.now(),
        parties,
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

  /** Gives the lane to the next task that is still in time. A task whose time is up is refused here if its timer is late. */
  const passOn = () => {
    const takeNext = () => waiting.takeNext(({ isCostly }) => isLaneFree(isCostly));
    for (let waiter = takeNext(); waiter !== undefined; waiter = takeNext()) {
      lastWaitMs = performance.now() - waiter.since;
      if (lastWaitMs < maxWait) return waiter.start();
      waiter.refuse();
    }
    if (closed && running === 0) onDrained();
  };

  const end = (parties: readonly Party[], isCostly: boolean) => {
    running -= 1;
    if (isCostly) costlyRunning -= 1;
    for (const party of parties) party.running -= 1;
    passOn();
  };

  /** Starts a task if a lane is free; returns whether it did. */
  const takeLane = (parties: readonly Party[], isCostly: boolean): boolean => {
    if (!isLaneFree(isCostly)) return false;
    lastWaitMs = 0;
    startTask({ parties, isCostly });
    return true;
  };

  return {
    run: async (hashedFor, task, isCostly = false) => {
      if (closed) throw busy();
      return withParties(hashedFor, async (parties) => {
        if (!takeLane(parties, isCostly)) await wait(parties, isCostly);
        try {
          return await task();
        } finally {
          end(parties, isCostly);
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
