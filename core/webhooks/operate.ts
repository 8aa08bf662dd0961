import { CoreError } from '../errors.ts';
import type { Waiting } from '../outbox.ts';
import { pagesOf } from '../pages.ts';
import type { WebhooksOperate } from './api.ts';
import type { Kit } from './kit.ts';
import { makeListed } from './listed-delivery.ts';
import { testMessage } from './message.ts';
import type { WebhookEntry } from './ports.ts';

const PAGE = 500;

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
