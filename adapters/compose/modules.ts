import { makeForgetCustomer } from '../../core/billing/forget-customer.ts';
import { createAccounts, createBilling, createFiles, createWebhooks, type Events } from '../../core/index.ts';
import type { Config } from '../config.ts';
import { accountsPolicy } from './accounts-policy.ts';
import type { Ports } from './container.ts';

/** The most deliveries of the payment provider in the export of a user: far more than one user has in 90 days. */
const MOST_DELIVERIES = 10_000;

/** Publishes an event to each listener in turn. If one fails, this throws, and the caller later publishes to all again. */
const publishToEach = (...listeners: readonly Events[]): Events => ({
  publish: async (event) => {
    for (const listener of listeners) await listener.publish(event);
  },
});

/** Creates the modules from the ports, each after the modules that it calls. `wake` runs the background jobs at once. */
export const createModules = (config: Config, ports: Ports, wake: () => void) => {
  const files = createFiles(ports, { syncLimitBytes: config.syncLimitBytes });
  const webhooks = createWebhooks({ ...ports, store: ports.webhooks, sender: ports.webhookSender, wake });
  const accounts = createAccounts(
    {
      ...ports,
      wake,
      events: publishToEach(webhooks.events, ports.events),
      userFiles: {
        count: files.countOf,
        list: (userId) => files.listAll({ userId }),
        removeAll: files.deleteAllOf,
        countByKey: files.operate.countByKey,
      },
      userBilling: {
        forget: makeForgetCustomer(ports),
        changeEmail: (userId, email) => ports.provider.changeEmail(userId, email),
        listDeliveries: (userId) => ports.ledger.listOf(userId, MOST_DELIVERIES),
      },
    },
    accountsPolicy(config),
  );
  const billing = createBilling(
    { ...ports, wake, subscribers: accounts.subscribers },
    { tiers: config.tiers, rateFallback: config.usdPlnFallback },
  );
  return { files, webhooks, accounts, billing };
};

/** The use cases of the product. */
export type Modules = ReturnType<typeof createModules>;
