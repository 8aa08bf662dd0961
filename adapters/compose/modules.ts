import { makeForgetCustomer } from '../../core/billing/index.ts';
import {
  type Accounts,
  type AccountsPolicy,
  type Billing,
  createAccounts,
  createBilling,
  createFiles,
  createWebhooks,
  type Events,
  type Files,
  type Webhooks,
} from '../../core/index.ts';
import type { Config } from '../config.ts';
import type { Ports } from './container.ts';

/** The use cases of the product. */
export interface Modules {
  readonly files: Files;
  readonly webhooks: Webhooks;
  readonly accounts: Accounts;
  readonly billing: Billing;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Where sign-in flows of the pages end: a path, on the origin at which the browser reaches the callback. */
const PAGES_REDIRECT = '/account/return';

const accountsPolicy = (config: Config): Partial<AccountsPolicy> => ({
  productName: config.productName,
  brandColour: config.brandColour,
  supportUrl: config.supportUrl,
  termsUrl: config.termsUrl,
  privacyUrl: config.privacyUrl,
  accessTokenSeconds: config.accessTokenSeconds,
  tokenAudiences: config.tokenAudiences,
  refreshTokenLife: config.refreshTokenDays * DAY,
  sessionLife: config.sessionMaxDays * DAY,
  refreshGrace: config.refreshGraceSeconds * 1_000,
  cookieSessions: config.cookieSessions || config.pages.on,
  consoleIdle: config.console.idleMinutes * MINUTE,
  consoleLife: config.console.hours * HOUR,
  freshFor: config.reauthSeconds * 1_000,
  operatorsNeedSecondFactor: config.operatorsNeed2fa,
  resendLimit: config.rateLimits.resend,
  signInRedirects: [...config.signIn.redirects, ...(config.pages.on ? [PAGES_REDIRECT] : [])],
  tiers: config.tiers,
  selfEntitlement: config.selfEntitlement,
});

/** Publishes an event to each listener in turn. When one of them fails, the event is published to all of them again. */
const publishToEach = (...listeners: readonly Events[]): Events => ({
  publish: async (event) => {
    for (const listener of listeners) await listener.publish(event);
  },
});

/** Creates the modules from the ports, each after the modules that it calls. `wake` runs the background jobs at once. */
export const createModules = (config: Config, ports: Ports, wake: () => void): Modules => {
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
      userBilling: { forget: makeForgetCustomer(ports) },
    },
    accountsPolicy(config),
  );
  const billing = createBilling(
    { ...ports, wake, subscribers: accounts.subscribers },
    { tiers: config.tiers, rateFallback: config.usdPlnFallback },
  );
  return { files, webhooks, accounts, billing };
};
