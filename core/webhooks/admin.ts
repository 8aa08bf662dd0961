import { CoreError } from '../errors.ts';
import { isoTime } from '../iso-times.ts';
import { hasEntry, type OutboxItem, stateOf } from '../outbox.ts';
import { pagesOf } from '../pagination.ts';
import type { WebhooksAdmin } from './api.ts';
import type { Deps } from './deps.ts';
import { testMessage } from './message.ts';
import type { ListedDelivery, WebhookEntry } from './ports.ts';

const PAGE = 500;

const deliveryNotFound = () =>
  new CoreError('missing', 'delivery_not_found', 'There is no such delivery in the outbox.');

const makeListed = ({ sender }: Pick<Deps, 'sender'>) => {
  const names = new Map(sender.endpoints.map(({ id, name }) => [id, name]));
  return ({ entry, userId, tries, dueAt, deadAt, lastFailure }: OutboxItem<WebhookEntry>): ListedDelivery => {
    // Nothing is sent to an endpoint that the settings no longer contain.
    const name = names.get(entry.endpoint);
    const isDead = deadAt !== null || name === undefined;
    return {
      id: entry.id,
      state: isDead ? 'dead' : stateOf({ deadAt, tries }),
      endpoint: name ?? entry.endpoint,
      type: entry.event.type,
      userId,
      createdAt: isoTime(entry.at),
      tries,
      dueAt: isDead ? null : isoTime(dueAt),
      lastFailure: name === undefined && deadAt === null ? 'no_endpoint' : lastFailure,
    };
  };
};

export const makeAdmin = (deps: Deps): WebhooksAdmin => {
  const { clock, newId, sender, store } = deps;
  const listed = makeListed(deps);

  /** The endpoint is given by its name, its id or its full address; the settings may no longer contain it. */
  const discardOfEndpoint = async (endpoint: string): Promise<number> => {
    const namedIds = sender.endpoints.filter(({ name }) => name === endpoint).map(({ id }) => id);
    let count = 0;
    for (const id of new Set([...namedIds, endpoint, sender.idOf(endpoint)]))
      count += await store.discard({ endpoint: id });
    return count;
  };

  return {
    listDeliveries: async function* () {
      const pages = pagesOf<OutboxItem<WebhookEntry>>(PAGE, (last, limit) =>
        store.list(last?.entry.id ?? null, limit),
      );
      for await (const page of pages) yield* page.map(listed);
    },
    countDeliveries: async () => {
      const configuredIds = new Set(sender.endpoints.map(({ id }) => id));
      const counts = { waiting: 0, failing: 0, dead: 0 };
      let oldestAt: number | null = null;
      for (const { group: endpoint, state: storedState, count, oldestAt: at } of await store.count()) {
        const state = configuredIds.has(endpoint) ? storedState : 'dead';
        counts[state] += count;
        if (state !== 'dead') oldestAt = Math.min(oldestAt ?? at, at);
      }
      return { ...counts, oldestAt };
    },
    discardDeliveries: async (which, begin) => {
      if ('endpoint' in which) {
        await begin?.();
        return discardOfEndpoint(which.endpoint);
      }
      if (!(await hasEntry(store, which.id))) throw deliveryNotFound();
      await begin?.();
      const count = await store.discard(which);
      if (count === 0) throw deliveryNotFound();
      return count;
    },
    retryDeliveries: async (id, begin) => {
      const hasWork = id === null || (await hasEntry(store, id));
      if (hasWork) await begin?.();
      const count = hasWork ? await store.retry(id, clock.now()) : 0;
      // Null: all deliveries, of which there may be none.
      if (id !== null && count === 0) throw deliveryNotFound();
      return count;
    },
    tryEndpoint: async (url) => {
      const endpoint = sender.idOf(url);
      if (!sender.endpoints.some(({ id }) => id === endpoint)) {
        throw new CoreError('missing', 'endpoint_not_found', 'WEBHOOK_URLS does not name this address.');
      }
      return sender.send(endpoint, testMessage(newId(), clock.now()));
    },
  };
};
