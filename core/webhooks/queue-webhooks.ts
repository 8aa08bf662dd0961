import type { Events } from '../events.ts';
import type { Deps } from './deps.ts';

/** Queues an entry for each endpoint. An event repeated before its delivery adds nothing: its entries have the same ids. */
export const makeEvents = ({ sender, store, wake }: Deps): Events => ({
  publish: async (event) => {
    const { id, at, userId } = event;
    for (const { id: endpoint } of sender.endpoints) {
      // Entries with one `to` are sent in order: the events of a user, to each endpoint.
      await store.add(userId, { id: `${id}.${endpoint}`, at, to: `${endpoint} ${userId}`, endpoint, event });
    }
    if (sender.endpoints.length > 0) wake();
  },
});
