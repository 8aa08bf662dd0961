import type { Events } from '../events.ts';
import type { Deps } from './deps.ts';
import type { WebhookEntry } from './ports.ts';

/** Queues an entry for each endpoint. An event repeated before its delivery adds nothing: its entries have the same ids. */
export const makeEvents = ({ sender, store, wake }: Deps): Events => ({
  publish: async (event) => {
    const { id, at, userId } = event;
    for (const { id: endpoint } of sender.endpoints) {
      const entry: WebhookEntry = {
        id: `${id}.${endpoint}`,
        at,
        // Entries with one address are sent in order: the events of a user, to each endpoint.
        to: `${endpoint} ${userId}`,
        endpoint,
        event,
      };
      await store.add(userId, entry);
    }
    if (sender.endpoints.length > 0) wake();
  },
});
