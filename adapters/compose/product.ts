import { hostname } from 'node:os';
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
  type Happened,
  type Webhooks,
} from '../../core/index.ts';
import { type Background, type Job, makeBackground } from '../background/background.ts';
import { makeDrain } from '../background/drain.ts';
import { type Interval, makeInterval } from '../background/interval.ts';
import { accountJobs, billingJobs, fileJobs, passkeyJobs, webhookJobs } from '../background/jobs.ts';
import type { Config } from '../config.ts';
import { type Check, makeChecks, watchChecks } from './checks.ts';
import { makeContainer } from './container.ts';
import type { Base, Opened } from './opened.ts';
import type { Ports } from './ports.ts';
import type { Resources } from './resources.ts';

/** The three halves, and what runs between requests. */
export interface Product {
  readonly files: Files;
  readonly accounts: Accounts;
  readonly billing: Billing;
  readonly webhooks: Webhooks;
  /** Runs the waking jobs of accounts and billing at once. */
  readonly wake: () => void;
  /** Every job, whichever process does it. */
  readonly jobs: { readonly accounts: readonly Job[]; readonly files: readonly Job[] };
  readonly work: Background;
  readonly fileWork: Background;
  readonly accessCounts: Interval;
  readonly cacheReads: Interval;
  readonly checks: readonly Check[];
  readonly checkWatch: ReturnType<typeof watchChecks>;
  readonly settle: () => Promise<void>;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Where trips of the pages end: a path, so of the origin at which the browser reaches the callback. */
const PAGES_REDIRECT = '/account/return';

const accountsPolicy = (config: Config): Partial<AccountsPolicy> => ({
  productName: config.productName,
  brandColour: config.brandColour,
  supportUrl: config.supportUrl,
  termsUrl: config.termsUrl,
  privacyUrl: config.privacyUrl,
  accessTokenSeconds: config.accessTokenSeconds,
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

/** Where one of them throws, all are told again. */
const publishTo = async (listeners: readonly Events[], event: Happened): Promise<void> => {
  for (const listener of listeners) await listener.publish(event);
};

/** Milliseconds between two writes of access counts. A crash loses counts of the last 5 s at most. */
const ACCESSES_EVERY = 2_000;
/** The same for reads of the cache, of which statistics alone tell. */
const CACHE_READS_EVERY = 60_000;

/**
 * Puts the product together from its ports. Accounts need billing to forget a user, and their own background work to wake
 * it; both need the accounts. So these two are read from `product` when they are called, which is after the start.
 */
export const makeProduct = (base: Base, outside: Opened, ports: Ports, { opened }: Resources): Product => {
  const { config, observation, log, clock, random } = base;
  const { leases } = ports;
  const holder = `${hostname()}:${process.pid}:${random.text(6)}`;

  return makeContainer<object, Product>(
    {},
    {
      files: () => createFiles(ports, { syncLimitBytes: config.syncLimitBytes }),
      accounts: (product) =>
        createAccounts(
          {
            ...ports,
            wake: product.wake,
            events: { publish: (event) => publishTo([product.webhooks.events, ports.events], event) },
            userFiles: {
              count: product.files.countOf,
              list: (userId) => product.files.listAll({ userId }),
              removeAll: product.files.deleteAllOf,
              countByKey: product.files.operate.countByKey,
            },
            userBilling: {
              forget: (userId, customerIds) => product.billing.forget(userId, customerIds),
            },
          },
          accountsPolicy(config),
        ),
      billing: ({ accounts, wake }) =>
        createBilling(
          { ...ports, wake, subscribers: accounts.subscribers },
          { tiers: config.tiers, rateFallback: config.usdPlnFallback },
        ),
      webhooks: ({ wake }) =>
        createWebhooks({ ...ports, store: ports.webhooks, sender: ports.webhookSender, wake }),
      wake: (product) => () => product.work.wake(),
      jobs: ({ accounts, billing, webhooks, files, wake }) => ({
        accounts: [
          ...accountJobs(accounts, wake),
          ...(config.passkeys === null ? [] : passkeyJobs(accounts)),
          ...billingJobs(billing),
          ...(config.webhookUrls.length > 0 ? webhookJobs(webhooks) : []),
        ],
        files: fileJobs(files),
      }),
      work: ({ jobs }) =>
        opened(makeBackground({ leases, holder, log, jobs: observation.jobs(jobs.accounts) })),
      fileWork: ({ jobs }) =>
        opened(makeBackground({ leases, holder, log, jobs: observation.jobs(jobs.files) })),
      accessCounts: ({ files }) =>
        opened(makeInterval('accesses', ACCESSES_EVERY, files.background.flushAccesses, log)),
      cacheReads: ({ files }) =>
        opened(makeInterval('cache-reads', CACHE_READS_EVERY, files.background.flushCacheReads, log)),
      checks: ({ files }) => makeChecks({ ...outside, files }),
      checkWatch: ({ checks }) => opened(watchChecks(checks, { clock, log })),
      settle: ({ accounts }) => makeDrain({ accounts, leases, holder }),
    },
  );
};
