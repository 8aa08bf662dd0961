import type { Delivery, Outbox, OutboxItem, Sendable } from './outbox.ts';
import type { Clock, Log } from './ports.ts';

const ADDRESSES_A_ROUND = 100;
/** The time after which a sending no longer counts towards `parallel`, so that it delays no other entry. */
const SLOW_MS = 1_000;
/** The most sendings that run at once, slow ones included. */
const MAX_PARALLEL = 16;
/** The time after which a round starts no more entries, so that it ends well within the lease. */
const ROUND_MS = 5_000;
/** This many addresses in a row with the same temporary failure mean that the receiving service is down. */
const FAILURES_TO_STOP = 5;

/**
 * The failure of an entry that was not attempted because an earlier entry to its address must be delivered first. Its `dueAt`
 * is only the time of the earlier entry's next attempt: as soon as no earlier one is left, it may be sent.
 */
const BEHIND = 'waits_in_order';

/** The way in which the entries of one outbox are sent. */
export interface Sending<Entry extends Sendable> {
  readonly outbox: Outbox<Entry>;
  /** The prefix of the log events. */
  readonly name: string;
  /** Whether a failed entry delays the later entries of its address until it is delivered or dead. */
  readonly inOrder: boolean;
  /** How many sendings that are not slow run at once, each to another address. */
  readonly parallel: number;
  /** Does not throw. */
  send(entry: Entry): Promise<Delivery>;
  /**
   * The time of the next attempt after a failure at `now`; null to give up. `retryAfter` is the wait in milliseconds that the
   * receiver asked for. `item` was read before the attempt, so its `tries` does not count this attempt.
   */
  nextTry(item: OutboxItem<Entry>, retryAfter: number | null, now: number): number | null;
}

/** Detects by the outcomes whether the receiving service fails, not a single address. */
const makeWatch = () => {
  let lastFailure = '';
  const addresses = new Set<string>();
  return {
    isDown: () => addresses.size >= FAILURES_TO_STOP,
    note(address: string, delivery: Delivery) {
      // '': no temporary failure.
      const failure = delivery.outcome === 'again' ? delivery.failure : '';
      if (failure !== lastFailure) addresses.clear();
      lastFailure = failure;
      if (failure !== '') addresses.add(address);
    },
  };
};

/** An entry is also due if the clock was set back after it was postponed. */
const isDue = ({ dueAt, waitsFrom }: OutboxItem<Sendable>, now: number): boolean =>
  dueAt <= now || waitsFrom > now;

/** Whether an entry may be sent if no earlier one of its address is left. */
const isDueAsFirst = (item: OutboxItem<Sendable>, now: number): boolean =>
  isDue(item, now) || item.lastFailure === BEHIND;

/** The entries up to the newest due one, oldest first. Older ones that are not due yet are sent as well, to keep the order. */
const upToNewestDue = <Entry extends Sendable>(
  items: readonly OutboxItem<Entry>[],
  now: number,
): readonly OutboxItem<Entry>[] => items.slice(0, items.findLastIndex((item) => isDue(item, now)) + 1);

/**
 * How many more sendings may start beside those under way. A time in the future was written before the clock was set back: such a
 * sending counts as slow.
 */
const roomBeside = (startTimes: readonly number[], parallel: number, now: number): number => {
  const fresh = startTimes.filter((time) => time > now - SLOW_MS && time <= now).length;
  return Math.min(parallel - fresh, MAX_PARALLEL - startTimes.length);
};

/**
 * The outcome of an attempt. `until`: the time of the next attempt; null if the entry could not be claimed. `removed` resolves
 * when the store has removed a sent entry.
 */
type Attempt = { readonly removed?: Promise<void> } & (
  | { readonly done: true }
  | { readonly done: false; readonly until: number | null }
);

const DONE: Attempt = { done: true };

/**
 * Sends the due entries of an outbox in one round, under the lease with this `fence`; returns how many entries were sent.
 * An address gets one entry at a time, the oldest first. Rounds may overlap: a round skips the addresses that another round
 * delivers to. See decision 0002.
 */
export const makeOutboxDispatcher = <Entry extends Sendable>(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  { outbox, name, inOrder, parallel, send, nextTry }: Sending<Entry>,
) => {
  const giveUp = async ({ entry, userId }: OutboxItem<Entry>, failure: string): Promise<Attempt> => {
    await outbox.bury(entry.id, clock.now(), failure);
    log.warn(`${name}.given_up`, { id: entry.id, userId, reason: failure });
    return DONE;
  };

  const postpone = async (
    item: OutboxItem<Entry>,
    retryAfter: number | null,
    failure: string,
  ): Promise<Attempt> => {
    const { entry, userId } = item;
    const now = clock.now();
    const until = nextTry(item, retryAfter, now);
    if (until === null) return giveUp(item, failure);
    await outbox.postpone(entry.id, { from: now, until }, failure);
    log.info(`${name}.postponed`, { id: entry.id, userId, reason: failure });
    return { done: false, until };
  };

  /**
   * Postpones the entries behind a failed one until its next attempt, if they are due before that or because the clock was set
   * back (`isDue`). Otherwise every round would list them in vain.
   */
  const waitBehind = async (later: readonly OutboxItem<Entry>[], until: number): Promise<void> => {
    const now = clock.now();
    for (const { entry, dueAt, waitsFrom } of later)
      if (dueAt < until || waitsFrom > now) await outbox.postpone(entry.id, { from: now, until }, BEHIND);
  };

  /** Addresses that are being delivered to, with the times at which their latest sending started. */
  const onTheWay = new Map<string, number>();

  return async (fence: number): Promise<number> => {
    const watch = makeWatch();
    let sent = 0;

    const deliver = async (item: OutboxItem<Entry>): Promise<Attempt> => {
      const { entry, userId } = item;
      if (!(await outbox.claim(entry.id, fence))) return { done: false, until: null };
      onTheWay.set(entry.to, clock.now());
      const delivery = await send(entry);
      watch.note(entry.to, delivery);
      if (delivery.outcome === 'again') return postpone(item, delivery.after, delivery.failure);
      if (delivery.outcome === 'refused') return giveUp(item, delivery.failure);
      sent += 1;
      log.info(`${name}.sent`, { id: entry.id, userId });
      return { done: true, removed: outbox.remove(entry.id) };
    };

    const end = clock.now() + ROUND_MS;
    const isOver = () => watch.isDown() || clock.now() >= end;

    // The next entry of an address waits until the one before is removed. Otherwise, after a crash, the earlier entry could be
    // sent again after the later one.
    const deliverEach = async (address: string): Promise<Attempt> => {
      let last: Attempt = DONE;
      for (const item of upToNewestDue(await outbox.listFor(address), clock.now())) {
        await last.removed;
        if (isOver()) break;
        last = await deliver(item);
      }
      return last;
    };

    const deliverInOrder = async (address: string): Promise<Attempt> => {
      const items = await outbox.listFor(address);
      let last: Attempt = DONE;
      for (const [index, item] of items.entries()) {
        await last.removed;
        const now = clock.now();
        if (isOver()) {
          // This entry may have been postponed far into the future, behind the entry just sent. Made due now, it brings its
          // address into the next rounds, after the addresses that wait longer.
          if (index > 0 && isDueAsFirst(item, now))
            await outbox.postpone(item.entry.id, { from: now, until: now }, BEHIND);
          break;
        }
        // Later entries follow at once: the first, for which they waited, is sent or given up by now.
        const mustWait = index === 0 && !isDueAsFirst(item, now);
        last = mustWait ? { done: false, until: item.dueAt } : await deliver(item);
        if (last.done) continue;
        if (last.until !== null) await waitBehind(items.slice(index + 1), last.until);
        break;
      }
      return last;
    };
    const deliverAll = inOrder ? deliverInOrder : deliverEach;

    const room = roomBeside([...onTheWay.values()], parallel, clock.now());
    if (room <= 0) return 0;
    // The list may hold the addresses on the way, which this round skips.
    const dueAddresses = await outbox.listDue(clock.now(), ADDRESSES_A_ROUND + onTheWay.size);
    const removals: Promise<void>[] = [];
    const finish = async (address: string, last: Promise<Attempt>): Promise<void> => {
      try {
        await (await last).removed;
      } finally {
        onTheWay.delete(address);
      }
    };
    // All workers share one iterator: each takes the next address as soon as it is done with one.
    const addresses = dueAddresses.values();
    const work = async () => {
      for (const address of addresses) {
        if (isOver()) return;
        if (onTheWay.has(address)) continue;
        onTheWay.set(address, clock.now());
        const last = deliverAll(address);
        const removal = finish(address, last);
        // Avoids an unhandled rejection: the failure is thrown below, once all workers have ended.
        removal.catch(() => undefined);
        removals.push(removal);
        await last;
      }
    };
    const workers = await Promise.allSettled(Array.from({ length: room }, work));
    for (const each of [...workers, ...(await Promise.allSettled(removals))])
      if (each.status === 'rejected') throw each.reason;
    return sent;
  };
};
