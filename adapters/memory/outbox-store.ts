import type { MailEntry } from '../../core/accounts/outbox-entries.ts';
import type { OutboxStore } from '../../core/accounts/ports.ts';
import {
  newWaiting,
  type Outbox,
  type OutboxCount,
  type Sendable,
  stateOf,
  type Waiting,
} from '../../core/outbox.ts';
import type { WebhookEntry, WebhookStore } from '../../core/webhooks/ports.ts';
import { by, due, kept, page } from './records.ts';
import { text, whole } from './scalars.ts';

/** Entries of an outbox, by id. */
export type WaitingEntries<Entry extends Sendable> = Map<string, Waiting<Entry>>;

const byId = by<{ readonly entry: { readonly id: string } }>(({ entry }) => entry.id);
const asMade = by<Waiting<Sendable>>(
  ({ entry }) => entry.at,
  ({ entry }) => entry.id,
);

const makeOutbox = <Entry extends Sendable>(
  entries: WaitingEntries<Entry>,
  groupOf: (entry: Entry) => string,
) => {
  /** The fence of the latest claim of an entry. */
  const fences = new Map<string, number>();

  const those = (where: (waiting: Waiting<Entry>) => boolean) => [...entries.values()].filter(where);
  const change = (waiting: Waiting<Entry> | undefined, fields: Partial<Waiting<Entry>>) => {
    if (waiting !== undefined) entries.set(waiting.entry.id, kept({ ...waiting, ...fields }));
  };
  const live = (id: string) => {
    const found = entries.get(text(id));
    return found?.deadAt === null ? found : undefined;
  };

  return {
    those,
    /** The addresses of those that `listDue` is about. */
    dueAmong: (live: readonly Waiting<Entry>[], now: number, limit: number): readonly string[] => {
      const inTime = due(live, ({ dueAt }) => dueAt, now, live.length);
      const ahead = live.filter(({ waitsFrom }) => waitsFrom > now).sort(by(({ waitsFrom }) => waitsFrom));
      const addresses = new Set([...inTime, ...ahead].map(({ entry }) => entry.to));
      return [...addresses].slice(0, whole(limit));
    },
    calls: {
      add: async (userId, entry) => {
        text(entry.to);
        whole(entry.at);
        if (!entries.has(text(entry.id))) entries.set(entry.id, kept(newWaiting(text(userId), entry)));
      },
      listFor: async (to) => {
        const address = text(to);
        return those(({ entry, deadAt }) => entry.to === address && deadAt === null).sort(asMade);
      },
      claim: async (id, fence) => {
        const found = live(id);
        if (found === undefined || (fences.get(id) ?? 0) > whole(fence)) return false;
        fences.set(id, fence);
        change(found, { tries: found.tries + 1 });
        return true;
      },
      remove: async (id) => {
        entries.delete(text(id));
        fences.delete(id);
      },
      postpone: async (id, { from, until }, failure) =>
        change(live(id), { dueAt: whole(until), waitsFrom: whole(from), lastFailure: text(failure) }),
      bury: async (id, now, failure) => change(live(id), { deadAt: whole(now), lastFailure: text(failure) }),
      list: async (after, limit) => {
        const behind = after === null ? null : { entry: { id: text(after) } };
        return page([...entries.values()], byId, behind, limit);
      },
      count: async () => {
        const counts = new Map<string, OutboxCount>();
        for (const waiting of entries.values()) {
          const [group, state, { at }] = [groupOf(waiting.entry), stateOf(waiting), waiting.entry];
          const { count = 0, oldestAt = at } = counts.get(`${group} ${state}`) ?? {};
          counts.set(`${group} ${state}`, {
            ...{ group, state },
            count: count + 1,
            oldestAt: Math.min(oldestAt, at),
          });
        }
        return [...counts.values()];
      },
      retry: async (id, now) => {
        const [wanted, time] = [id === null ? null : text(id), whole(now)];
        const again = those(({ entry }) => (wanted ?? entry.id) === entry.id);
        for (const one of again) change(one, { dueAt: Math.min(one.dueAt, time), deadAt: null });
        return again.length;
      },
    } satisfies Omit<Outbox<Entry>, 'listDue'>,
  };
};

/** Waiting mails in memory. */
export const makeMemoryOutboxStore = (mails: WaitingEntries<MailEntry>): OutboxStore => {
  const { those, dueAmong, calls } = makeOutbox(mails, () => '');
  return {
    ...calls,
    listDue: async (now, limit) =>
      dueAmong(
        those(({ deadAt }) => deadAt === null),
        now,
        limit,
      ),
    listOf: async (userId) => {
      const user = text(userId);
      return those((one) => one.userId === user).sort(byId);
    },
    listByState: async (state, after, limit) => {
      const wanted = text(state);
      const behind = after === null ? null : { entry: { id: text(after) } };
      return page(
        those((one) => stateOf(one) === wanted),
        byId,
        behind,
        limit,
      );
    },
    removeFor: async (userId) => {
      const user = text(userId);
      const gone = those((one) => one.userId === user && one.entry.template !== 'account-deleted');
      for (const { entry } of gone) mails.delete(entry.id);
    },
  };
};

/** Waiting deliveries of events in memory. */
export const makeMemoryWebhookStore = (deliveries: WaitingEntries<WebhookEntry>): WebhookStore => {
  const { those, dueAmong, calls } = makeOutbox(deliveries, ({ endpoint }) => endpoint);
  return {
    ...calls,
    listDue: async (now, limit, endpoint) => {
      const wanted = text(endpoint);
      return dueAmong(
        those(({ entry, deadAt }) => entry.endpoint === wanted && deadAt === null),
        now,
        limit,
      );
    },
    discard: async (which) => {
      const [member, value] =
        'id' in which ? (['id', text(which.id)] as const) : (['endpoint', text(which.endpoint)] as const);
      const gone = those(({ entry }) => entry[member] === value);
      for (const { entry } of gone) await calls.remove(entry.id);
      return gone.length;
    },
  };
};
