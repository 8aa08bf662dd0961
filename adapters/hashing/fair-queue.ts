import type { HashedFor } from '../../core/accounts/ports.ts';
import { CoreError, unavailable } from '../../core/errors.ts';

export interface QueueLimits {
  /** The most tasks that run at once. If it is 1, a costly task may run beside another task. */
  readonly lanes: number;
  /** The places for waiting tasks. Tasks beyond the share of an account, a client or costly tasks wait without a place. */
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
interface Client {
  tasks: number;
  running: number;
  /** The number of the last turn of one of its tasks; 0 before the first turn. */
  lastTurn: number;
}

/** Tracks the account and the client of each task while they have tasks. */
const makeClients = () => {
  const present = new Map<string, Client>();

  const addTask = (name: string): Client => {
    const entry = present.get(name) ?? { tasks: 0, running: 0, lastTurn: 0 };
    entry.tasks += 1;
    present.set(name, entry);
    return entry;
  };
  const removeTask = (name: string, entry: Client) => {
    entry.tasks -= 1;
    if (entry.tasks === 0) present.delete(name);
  };

  return async <T>(
    { account, client }: HashedFor,
    work: (clients: readonly Client[]) => Promise<T>,
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

/** A waiting task. */
interface Waiter {
  readonly since: number;
  /** The account and the client of the task. */
  readonly clients: readonly Client[];
  /** Whether the task may start only in the lane of costly tasks. */
  readonly isCostly: boolean;
  start(): void;
  refuse(): void;
}

/** Places of an account, a client, or all costly tasks together. Their further tasks wait behind these places. */
const SHARE = 2;

/** Stands for all costly tasks when places are counted. */
const COSTLY: Client = { tasks: 0, running: 0, lastTurn: 0 };

const sharersOf = ({ clients, isCostly }: Pick<Waiter, 'clients' | 'isCostly'>): readonly Client[] =>
  isCostly ? [...clients, COSTLY] : clients;

const busy = () =>
  unavailable('busy', 'Too many passwords are being checked at once; try again in a moment.', 2);

const tooManyAtOnce = () =>
  new CoreError(
    'throttled',
    'too_many_at_once',
    'Too many passwords of this account or address are being checked at once; try again in a moment.',
    { retryAfter: 2 },
  );

const isRunning = ({ running }: Client) => running > 0;

const lastTurnOf = ({ clients }: Waiter) => Math.max(...clients.map(({ lastTurn }) => lastTurn));

/**
 * Whether a waiter starts before an earlier waiter. The waiter whose account and client run no task comes first; if both or
 * neither run some, the waiter whose account and client had their last turn longer ago.
 */
const isBefore = (later: Waiter, earlier: Waiter): boolean => {
  const laterRuns = later.clients.some(isRunning);
  const earlierRuns = earlier.clients.some(isRunning);
  return laterRuns === earlierRuns ? lastTurnOf(later) < lastTurnOf(earlier) : earlierRuns;
};

/**
 * The waiting tasks of a hasher. An account takes at most two places, and so do a client and all costly tasks together.
 */
const makeWaitingTasks = (places: number) => {
  const waiting: Waiter[] = [];

  const countOf = (client: Client) => waiting.filter((waiter) => sharersOf(waiter).includes(client)).length;

  /** Counts the taken places, in total and by client. */
  const countPlaces = () => {
    const shares = new Map<Client, number>();
    const isWithin = (client: Client) => (shares.get(client) ?? 0) < SHARE;
    let placesTaken = 0;
    for (const waiter of waiting) {
      const sharers = sharersOf(waiter);
      if (!sharers.every(isWithin)) continue;
      placesTaken += 1;
      for (const client of sharers) shares.set(client, (shares.get(client) ?? 0) + 1);
    }
    return { placesTaken, isWithin };
  };

  return {
    /**
     * Admits a task. Returns the error for the case that its turn does not come in time. Throws `unavailable` (`busy`) if all
     * places are taken or as many costly tasks wait as there are places, `throttled` (`too_many_at_once`) if as many tasks of
     * its account or client do. A task beyond a share takes no place, so it is admitted even if all places are taken.
     */
    admit: (clients: readonly Client[], isCostly: boolean): (() => CoreError) => {
      if (clients.some((client) => countOf(client) >= places)) throw tooManyAtOnce();
      if (isCostly && countOf(COSTLY) >= places) throw busy();
      const { placesTaken, isWithin } = countPlaces();
      if (!clients.every(isWithin)) return tooManyAtOnce;
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
    /**
     * Takes the next task that may start: first tasks whose account and client have no running task; among these the
     * task whose account and client had their last turn longest ago; among equals the first that came.
     */
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

  // A costly task takes seconds. In the only lane it would block everybody else, so it runs beside that lane.
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
