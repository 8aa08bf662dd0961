import { CoreError, unavailable } from '../../core/errors.ts';
import type { Party } from './parties.ts';

/** A task that waits. */
export interface Waiter {
  readonly since: number;
  /** Its account and its client. */
  readonly own: readonly Party[];
  begin(): void;
  refuse(): void;
}

/** Places that an account or a client may have. More of its tasks wait behind these. */
const SHARE = 2;

export const busy = () =>
  unavailable('busy', 'Too many passwords are being checked at once; try again in a moment.', 2);

const tooManyAtOnce = () =>
  new CoreError(
    'throttled',
    'too_many_at_once',
    'Too many passwords of this account or address are being checked at once; try again in a moment.',
    { retryAfter: 2 },
  );

const lastTurnOf = ({ own }: Waiter) => Math.max(...own.map(({ lastTurn }) => lastTurn));

/** The tasks that wait for a hasher. An account, and a client, takes at most two of the places. */
export const makeWaitingTasks = (places: number) => {
  const waiting: Waiter[] = [];

  const countOf = (party: Party) => waiting.filter(({ own }) => own.includes(party)).length;

  /** How many places are taken, and by whom. */
  const look = () => {
    const shares = new Map<Party, number>();
    const isWithin = (party: Party) => (shares.get(party) ?? 0) < SHARE;
    let taken = 0;
    for (const { own } of waiting) {
      if (!own.every(isWithin)) continue;
      taken += 1;
      for (const party of own) shares.set(party, (shares.get(party) ?? 0) + 1);
    }
    return { taken, isWithin };
  };

  return {
    /**
     * Admits a task. Returns the refusal for the case that its turn does not come in time. Throws `unavailable` (`busy`)
     * if the places are taken, `throttled` (`too_many_at_once`) if its account or client fills the queue alone.
     */
    admit: (own: readonly Party[]): (() => CoreError) => {
      if (own.some((party) => countOf(party) >= places)) throw tooManyAtOnce();
      const { taken, isWithin } = look();
      if (!own.every(isWithin)) return tooManyAtOnce;
      if (taken >= places) throw busy();
      return busy;
    },
    add: (waiter: Waiter) => {
      waiting.push(waiter);
    },
    remove: (waiter: Waiter) => {
      waiting.splice(waiting.indexOf(waiter), 1);
    },
    /** The task whose account and client had their last turn longest ago; of several, the first that came. */
    takeNext: (): Waiter | undefined => {
      let next = waiting[0];
      for (const waiter of waiting) if (next && lastTurnOf(waiter) < lastTurnOf(next)) next = waiter;
      if (next !== undefined) waiting.splice(waiting.indexOf(next), 1);
      return next;
    },
    takeAll: (): readonly Waiter[] => waiting.splice(0),
    length: () => waiting.length,
  };
};
