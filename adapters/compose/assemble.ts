import type { BuyerActions } from '../../core/billing/sandbox.ts';
import { checkArguments } from '../../core/check-arguments.ts';
import type {
  Accounts,
  Billing,
  Files,
  HealthCheck,
  Limiter,
  WatchRequest,
  Webhooks,
} from '../../core/index.ts';
import { FLAG, object, TEXT } from '../../core/schema.ts';
import type { Brand } from '../branding/read-branding.ts';
import { type ProcessLog, withAppLog } from '../log/log.ts';
import { version } from '../version.ts';
import { makeBackgroundWork } from './background-work.ts';
import { type Installation, makeInstallation, reportUnknownKeys } from './console-health-and-keys.ts';
import { makePorts } from './container.ts';
import { makeChecks } from './health-checks.ts';
import { createModules } from './modules.ts';
import type { ClosingScope, Context, OpenedResources } from './open-resources.ts';

/** The use cases of the product, and what servers and commands need in addition. */
export interface Gatehouse {
  /** The version of the package. */
  readonly version: string;
  readonly accounts: Accounts;
  readonly files: Files;
  readonly billing: Billing;
  readonly webhooks: Webhooks;
  /** The actions behind the pages of the sandbox; null unless the sandbox is the payment provider. */
  readonly sandbox: BuyerActions | null;
  /** Rotates the master key, if the KMS can be rotated from here. Returns the id of the key that seals now. */
  readonly rotateMasterKey: () => Promise<string>;
  /** The files in the operator's `BRAND_DIR`. */
  readonly brand: Brand;
  readonly limiter: Limiter;
  readonly log: ProcessLog;
  readonly internalSecrets: readonly string[];
  readonly metadataSecrets: readonly string[];
  /** Makes a key of a text that must not be stored, such as an address. */
  readonly hashKey: (text: string) => string;
  readonly checks: readonly HealthCheck[];
  readonly installation: Installation;
  /** The observer of a service's requests; undefined if there are neither metrics nor traces. */
  readonly watch: (service: string) => WatchRequest | undefined;
  /** The metrics in the format of Prometheus; absent if metrics are off. */
  readonly scrape?: () => Promise<{ readonly type: string; readonly text: string }>;
  /** The origin at which browsers reach the account service. */
  readonly origin: () => string;
  /** Must be called with the origin at which the account service listens if `publicUrl` is null. */
  readonly listensAt: (origin: string) => Promise<void>;
  /**
   * Starts the background work of files after a short delay, and also that of accounts if `accounts` is true. A later call does
   * not start running work again; after `close` nothing is started.
   */
  start(what: { readonly accounts: boolean }): void;
  /** Processes pending work once, in place of `start`, for a command that ends at once. */
  settle(): Promise<void>;
  /** Closes everything in reverse order of opening. Further calls return the same promise. */
  close(): Promise<void>;
}

const gatehouseArguments = {
  start: { what: object({ accounts: FLAG }) },
  hashKey: { text: TEXT },
  watch: { service: TEXT },
  listensAt: { origin: TEXT },
};

/** The background work starts later, so that it does not delay the first requests. */
const BACKGROUND_DELAY_MS = 250;

/** Makes Gatehouse from the resources: ports, modules, background work. Begins the audit log of a new store. */
export const assemble = async (
  context: Context,
  resources: OpenedResources,
  scope: ClosingScope,
): Promise<Gatehouse> => {
  const { config, overrides, processLog, observation } = context;
  const { cache, hashPool, origin, internalSecrets } = resources;
  // The modules wake the background work, which is made after them.
  let wakeBackground = () => {};
  const wake = () => wakeBackground();

  const ports = makePorts(context, resources);
  const modules = createModules(config, ports, wake);
  const { accounts, files, billing, webhooks } = modules;
  const checks = makeChecks({ ...resources, files });
  const background = makeBackgroundWork(context, ports, modules, { checks, wake }, scope);
  wakeBackground = background.wake;
  cache.onReturn(files.background.cacheReturned);
  await accounts.open();

  const { clock, leases, outbox, flows, ledger, digest, limiter } = ports;
  const { countDeliveries } = webhooks.operate;
  observation.sample({ checks, outbox, flows, ledger, countDeliveries, hashing: hashPool.stats });

  const startTimers: NodeJS.Timeout[] = [];
  let closing: Promise<void> | undefined;
  const gatehouse: Gatehouse = {
    version,
    accounts,
    files,
    billing,
    webhooks,
    sandbox: resources.billing.sandbox?.(billing) ?? null,
    rotateMasterKey: resources.rotateMasterKey,
    brand: resources.brand,
    limiter,
    // Events go to the log of an embedding app, if it brings one; request lines stay in the log of the process.
    log: withAppLog(processLog, observation.log(overrides.log ?? processLog)),
    internalSecrets,
    metadataSecrets: config.metadataSecrets ?? internalSecrets,
    hashKey: (text) => digest.keyed('limiter', text),
    checks,
    installation: makeInstallation({
      clock,
      leases,
      outbox,
      ledger,
      accounts,
      checks,
      jobs: background.jobs,
      askMetadata: resources.askMetadata,
      listKeys: resources.listKeys,
    }),
    watch: observation.requests,
    ...(observation.scrape && { scrape: observation.scrape }),
    origin: origin.origin,
    listensAt: origin.listensAt,
    start: (services) => {
      // The start of an app may end after a signal has closed it already.
      if (closing !== undefined) return;
      const isFirst = startTimers.length === 0;
      const startWork = () => {
        if (services.accounts) hashPool.start();
        background.start(services);
        // If the store is down, its check says so.
        if (isFirst) reportUnknownKeys(gatehouse.installation, gatehouse.log).catch(() => undefined);
      };
      startTimers.push(setTimeout(startWork, BACKGROUND_DELAY_MS));
    },
    settle: background.settle,
    close: () => {
      startTimers.forEach(clearTimeout);
      closing ??= scope.closeAll();
      return closing;
    },
  };
  // The named methods are synchronous: they throw where others reject.
  return checkArguments(gatehouse, gatehouseArguments, ['start', 'hashKey', 'watch']);
};
