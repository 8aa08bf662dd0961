import { CoreError, unavailable } from '../../core/errors.ts';
import type { Client } from './clients.ts';

/** A waiting task. */
export interface Waiter {
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

export const busy = () =>
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

/** Whether a waiter starts before an earlier waiter. */
const isBefore = (later: Waiter, earlier: Waiter): boolean => {
  const laterRuns = later.clients.some(isRunning);
  const earlierRuns = earlier.clients.some(isRunning);
  return laterRuns === earlierRuns ? lastTurnOf(later) < lastTurnOf(earlier) : earlierRuns;
};

/**
 * The waiting tasks of a hasher. An account takes at most two places, and so do a client and all costly tasks together.
 */
export const makeWaitingTasks = (places: number) => {
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
     * places are taken, `throttled` (`too_many_at_once`) if its account or client fills the queue alone.
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
