import { CoreError } from '../errors.ts';
import type { Waiting } from '../outbox.ts';
import { pagesOf } from '../pages.ts';
import type { WebhooksOperate } from './api.ts';
import type { Kit } from './kit.ts';
import { testMessage } from './message.ts';
import type { WebhookEntry } from './ports.ts';

/**
 * A delivery of the outbox: `waiting` for its first try, `failing` between tries, `dead` when it was given up or its
 * endpoint is in the settings no more.
 */
export interface ListedDelivery {
  readonly id: string;
  readonly state: 'waiting' | 'failing' | 'dead';
  /** The endpoint's address without its query; its id where the settings do not name it. */
  readonly endpoint: string;
  readonly type: string;
  readonly userId: string;
  /** ISO 8601, like every time in here. */
  readonly createdAt: string;
  readonly tries: number;
  /** Of the next try; null when there is none. */
  readonly dueAt: string | null;
  readonly lastFailure: string | null;
}

const PAGE = 500;

const makeListed = ({ sender }: Pick<Kit, 'sender'>) => {
  const names = new Map(sender.endpoints.map(({ id, name }) => [id, name]));
  return ({ entry, userId, tries, dueAt, deadAt, lastFailure }: Waiting<WebhookEntry>): ListedDelivery => {
    const name = names.get(entry.endpoint);
    const isDead = deadAt !== null || name === undefined;
    return {
      id: entry.id,
      state: isDead ? 'dead' : tries > 0 ? 'failing' : 'waiting',
      endpoint: name ?? entry.endpoint,
      type: entry.event.type,
      userId,
      createdAt: new Date(entry.at).toISOString(),
      tries,
      dueAt: isDead ? null : new Date(dueAt).toISOString(),
      lastFailure: name === undefined && deadAt === null ? 'no_endpoint' : lastFailure,
    };
  };
};

export const makeOperate = (kit: Kit): WebhooksOperate => {
  const { clock, newId, sender, store } = kit;
  const listed = makeListed(kit);
  return {
    listDeliveries: async function* () {
      const pages = pagesOf<Waiting<WebhookEntry>>(PAGE, (last, limit) =>
        store.list(last?.entry.id ?? null, limit),
      );
      for await (const page of pages) yield* page.map(listed);
    },
    retryDeliveries: async (id) => {
      const count = await store.retry(id, clock.now());
      if (id !== null && count === 0) {
        throw new CoreError('missing', 'delivery_not_found', 'There is no such delivery in the outbox.');
      }
      return count;
    },
    tryEndpoint: async (url) => {
      const endpoint = sender.endpointAt(url);
      if (endpoint === undefined) {
        throw new CoreError('missing', 'endpoint_not_found', 'WEBHOOK_URLS does not name this address.');
      }
      return sender.send(endpoint, testMessage(newId(), clock.now()));
    },
  };
};
