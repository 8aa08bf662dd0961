import { checkArguments, FLAG, record, TEXT } from '../../core/arguments.ts';
import { withOwnLog } from '../log/own-log.ts';
import { version } from '../version.ts';
import type { Composition } from './composition.ts';
import { makeInstallation } from './installation.ts';
import type { Base, Opened } from './opened.ts';
import { makePorts } from './ports.ts';
import { makeProduct, type Product } from './product.ts';
import type { Resources } from './resources.ts';

/** What the calls of a composition itself take. */
const compositionArguments = {
  start: { what: record<{ readonly accounts: boolean }>({ accounts: FLAG }) },
  hashKey: { text: TEXT },
  watch: { service: TEXT },
  listensAt: { origin: TEXT },
};

/** Makes the product of the parts that were opened, and begins its audit log. */
export const join = async (base: Base, opened: Opened, resources: Resources): Promise<Composition> => {
  const ports = makePorts(base, opened);
  const product = makeProduct(base, opened, ports, resources);
  opened.cache.onReturn(product.files.background.cacheReturned);
  await product.accounts.begin();

  const { config, own, processLog, observation } = base;
  // Read once: each read of a part asks the container.
  const { clock, leases, outbox, flows, ledger, digest, limiter } = ports;
  const { accounts, files, billing, webhooks, checks, jobs, settle } = product;
  const { countDeliveries } = webhooks.operate;
  observation.sample({ checks, outbox, flows, ledger, countDeliveries, hashing: opened.hashPool.stats });
  const composition: Composition = {
    version,
    ...{ accounts, files, billing, webhooks, checks, settle },
    sandbox: opened.seller.sandbox,
    rotateMasterKey: opened.rotateMasterKey,
    brand: opened.brand,
    installation: makeInstallation({
      ...{ clock, leases, outbox, ledger, accounts, checks },
      jobs: [...jobs.accounts, ...jobs.files],
      ...{ askMetadata: opened.askMetadata, listKeys: opened.listKeys },
    }),
    limiter,
    log: withOwnLog(processLog, observation.log(own.log ?? processLog)),
    internalSecrets: opened.internalSecrets,
    metadataSecrets: config.metadataSecrets ?? opened.internalSecrets,
    hashKey: (text) => digest.keyed('limiter', text),
    watch: observation.requests,
    ...(observation.scrape && { scrape: observation.scrape }),
    origin: opened.origin.origin,
    listensAt: opened.origin.listensAt,
    ...lifeOf(product, opened.hashPool, resources),
  };
  return checkArguments(composition, compositionArguments, ['start', 'hashKey', 'watch']);
};

/** Milliseconds from the start to the background work: the first requests come before it. */
const AFTER_START = 250;

/** Starts the background work, and ends it with everything that was opened. */
const lifeOf = (
  { accessCounts, cacheReads, fileWork, work, checkWatch }: Product,
  hashPool: { start(): void },
  { closeAll }: Resources,
): Pick<Composition, 'start' | 'close'> => {
  let starting: NodeJS.Timeout | undefined;
  let closed: Promise<void> | undefined;
  const begin = (what: { readonly accounts: boolean }) => {
    for (const one of [accessCounts, cacheReads, checkWatch, fileWork]) one.start();
    if (!what.accounts) return;
    hashPool.start();
    work.start();
  };
  return {
    start: (what) => {
      starting = setTimeout(begin, AFTER_START, what);
    },
    close: () => {
      clearTimeout(starting);
      closed ??= closeAll();
      return closed;
    },
  };
};
