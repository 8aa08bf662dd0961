import type { EventLedger, EventPlace, KeptEvent } from '../../core/billing/ports.ts';
import { listedEvent, newEvent } from '../../core/billing/receive-event.ts';
import { backwards, by, due, kept, page } from './records.ts';
import { text, whole } from './scalars.ts';

const isRetried = ({ standing }: KeptEvent) => standing === 'waiting' || standing === 'dead';
const ERASED = { body: null, customerId: null, userId: null, standing: 'ignored' } as const;

const newestFirst = backwards(
  by<EventPlace>(
    ({ receivedAt }) => receivedAt,
    ({ id }) => id,
  ),
);

/** The payment provider's webhook deliveries in memory. */
export const makeMemoryEventLedger = (events: Map<string, KeptEvent>): EventLedger => {
  const those = (where: (event: KeptEvent) => boolean) => [...events.values()].filter(where);
  const change = (some: readonly KeptEvent[], fields: (event: KeptEvent) => Partial<KeptEvent>): number => {
    for (const event of some) events.set(event.id, kept({ ...event, ...fields(event) }));
    return some.length;
  };
  const pending = (id: string) => {
    const event = events.get(text(id));
    return event?.standing === 'pending' ? [event] : [];
  };

  return {
    add: async (delivery, receivedAt) => {
      text(delivery.body);
      whole(receivedAt);
      if (events.has(text(delivery.id))) return false;
      events.set(delivery.id, kept(newEvent(delivery, receivedAt)));
      return true;
    },
    listDue: async (now, limit) =>
      due(
        those(({ standing }) => standing === 'pending'),
        ({ dueAt }) => dueAt,
        now,
        limit,
      ).map(({ id, body, receivedAt, tries }) => ({ id, body: body ?? '', receivedAt, tries })),
    settle: async (id, standing, userId) => {
      change(pending(id), () => ({ standing, userId, lastFailure: null }));
    },
    wait: async (id, customerId) => {
      text(customerId);
      change(pending(id), () => ({ standing: 'waiting', customerId }));
    },
    postpone: async (id, dueAt, failure) => {
      whole(dueAt);
      change(pending(id), ({ tries }) => ({ tries: tries + 1, dueAt, lastFailure: text(failure) }));
    },
    bury: async (id, failure, userId) => {
      change(pending(id), () => ({ standing: 'dead', lastFailure: text(failure), userId }));
    },
    release: async (customer, now) => {
      const [customerId, dueAt] = [text(customer), whole(now)];
      const waiting = those((event) => event.standing === 'waiting' && event.customerId === customerId);
      return change(waiting, () => ({ standing: 'pending', dueAt }));
    },
    retry: async (id, now) => {
      const [wanted, time] = [id === null ? null : text(id), whole(now)];
      return change(
        those((event) => isRetried(event) && (wanted ?? event.id) === event.id),
        () => ({ standing: 'pending', dueAt: time, receivedAt: time, tries: 0 }),
      );
    },
    list: async ({ standing }, after, limit) => {
      const wanted = standing === undefined ? undefined : text(standing);
      const behind = after && { receivedAt: whole(after.receivedAt), id: text(after.id) };
      const some = those((event) => wanted === undefined || event.standing === wanted);
      return page(some, newestFirst, behind, limit).map(listedEvent);
    },
    listOf: async (user, limit) => {
      const userId = text(user);
      const theirs = those((event) => event.userId === userId);
      return page(theirs, newestFirst, null, limit).map(listedEvent);
    },
    standing: async (id) => events.get(text(id))?.standing,
    count: async (standing) => those((event) => event.standing === standing).length,
    eraseOf: async (user, customerIds) => {
      const [userId, customers] = [text(user), new Set<string | null>(customerIds.map(text))];
      const said = those((event) => event.userId === userId || customers.has(event.customerId));
      change(said, () => ERASED);
    },
    sweep: async (before, limit) => {
      const old = those(({ standing }) => standing !== 'pending');
      const swept = due(old, ({ receivedAt }) => receivedAt, whole(before) - 1, limit);
      for (const { id } of swept) events.delete(id);
      return swept.length;
    },
  };
};
