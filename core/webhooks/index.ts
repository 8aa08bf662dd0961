import { checkArguments, either, NUMBER, orNull, record, TEXT, WHOLE } from '../arguments.ts';
import type { Events, Happened } from '../events.ts';
import { makeNewId } from '../ids.ts';
import { makeAdmin } from './admin.ts';
import type { Webhooks } from './api.ts';
import { makeDeliverAll } from './deliver.ts';
import type { Deps } from './deps.ts';
import { defaultWebhooksPolicy, type WebhooksPolicy } from './policy.ts';
import type { WebhookEntry, WebhooksPorts } from './ports.ts';

export type { Webhooks };

/** A repeated event adds nothing: its entries have the same ids. */
const makeEvents = ({ sender, store, wake }: Deps): Events => ({
  publish: async (event) => {
    const { id, at, userId } = event;
    for (const { id: endpoint } of sender.endpoints) {
      const entry: WebhookEntry = {
        id: `${id}.${endpoint}`,
        at,
        to: `${endpoint} ${userId}`,
        endpoint,
        event,
      };
      await store.add(userId, entry);
    }
    if (sender.endpoints.length > 0) wake();
  },
});

const HAPPENED = record<Happened>({
  id: TEXT,
  at: NUMBER,
  type: TEXT,
  userId: TEXT,
  sessionId: orNull(TEXT),
});

const WHICH = either(
  'endpoint',
  record<{ readonly endpoint: string }>({ endpoint: TEXT }),
  record<{ readonly id: string }>({ id: TEXT }),
);

/** Creates the webhooks to other servers from ports and policy; absent numbers of the policy have their defaults. */
export const createWebhooks = (ports: WebhooksPorts, policy: Partial<WebhooksPolicy> = {}): Webhooks => {
  const deps: Deps = {
    ...ports,
    policy: { ...defaultWebhooksPolicy, ...policy },
    newId: makeNewId(ports.clock, ports.random),
  };
  return {
    events: checkArguments(makeEvents(deps), { publish: { event: HAPPENED } }),
    operate: checkArguments(makeAdmin(deps), {
      discardDeliveries: { which: WHICH },
      retryDeliveries: { id: orNull(TEXT) },
      tryEndpoint: { url: TEXT },
    }),
    background: checkArguments({ deliver: makeDeliverAll(deps) }, { deliver: { fence: WHOLE } }),
  };
};
