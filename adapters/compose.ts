import type { Composition } from './compose/composition.ts';
import { openAll, openBase } from './compose/opened.ts';
import { type OwnParts, requireKnownParts } from './compose/own-parts.ts';
import { makePorts } from './compose/ports.ts';
import { makeProduct, type Product } from './compose/product.ts';
import { type Resources, withResources } from './compose/resources.ts';
import type { Config } from './config.ts';
import { systemClock } from './crypto/clock.ts';
import { makeRandom } from './crypto/random.ts';
import { initKeyFile, type KeyKind } from './installation/first-start.ts';
import { rotateMasterKey } from './installation/master-key.ts';
import { withOwnLog } from './log/own-log.ts';
import { version } from './version.ts';

export type { Composition } from './compose/composition.ts';
export type { OwnParts } from './compose/own-parts.ts';
export { makeLog } from './log/log.ts';
export { openAggregate } from './metrics/metrics.ts';
export type { StorePorts } from './store-place.ts';
export { StoreUnusable } from './store-place.ts';

/** `initKeyFile` with this machine's clock and randomness. */
export const makeKeyFile = (kind: KeyKind, path: string): Promise<boolean> =>
  initKeyFile(kind, path, systemClock, makeRandom());

/**
 * Opens what the settings name and puts it together. Throws `ConfigError`, `StoreUnusable`, and `TypeError` for a part
 * that it does not take.
 */
export const compose = async (config: Config, own: OwnParts = {}): Promise<Composition> => {
  requireKnownParts(own);
  return withResources((resources) => composeOf(config, own, resources));
};

const composeOf = async (config: Config, own: OwnParts, resources: Resources): Promise<Composition> => {
  const base = openBase(config, own, resources);
  const opened = await openAll(base, resources);
  const ports = makePorts(base, opened);
  const product = makeProduct(base, opened, ports, resources);
  opened.cache.onReturn(product.files.background.cacheReturned);
  await product.accounts.begin();

  const { processLog, observation } = base;
  // Read once: each read of a part asks the container.
  const { outbox, ledger, digest, limiter } = ports;
  const { accounts, files, billing, checks, settle } = product;
  observation.sample({ checks, outbox, ledger, hashing: opened.hashPool.stats });
  return {
    version,
    ...{ accounts, files, billing, checks, settle },
    sandbox: opened.seller.sandbox,
    rotateMasterKey: () => rotateMasterKey(opened.kmsSettings, opened.kms),
    limiter,
    log: withOwnLog(processLog, observation.log(own.log ?? processLog)),
    internalSecrets: opened.internalSecrets,
    metadataSecrets: config.metadataSecrets ?? opened.internalSecrets,
    hashKey: (text) => digest.keyed('limiter', text),
    watch: observation.requests,
    ...(observation.scrape && { scrape: observation.scrape }),
    listensAt: opened.origin.listensAt,
    ...lifeOf(product, opened.hashPool, resources),
  };
};

/** Milliseconds from the start to the background work: the first requests come before it. */
const AFTER_START = 250;

/** Starts the background work, and ends it with everything that was opened. */
const lifeOf = (
  { accessCounts, fileWork, work, checkWatch }: Product,
  hashPool: { start(): void },
  { closeAll }: Resources,
): Pick<Composition, 'start' | 'close'> => {
  let starting: NodeJS.Timeout | undefined;
  let closed: Promise<void> | undefined;
  const begin = (what: { readonly accounts: boolean }) => {
    for (const one of [accessCounts, checkWatch, fileWork]) one.start();
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
