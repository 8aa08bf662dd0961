import { hostname } from 'node:os';
import {
  type AccountsPorts,
  type BillingPorts,
  createAccounts,
  createBilling,
  createFiles,
  type FilesPorts,
  type Leases,
} from '../core/index.ts';
import { type Background, makeBackground } from './background/background.ts';
import { makeSettle } from './background/drain.ts';
import { makeEvery } from './background/interval.ts';
import { accountJobs, billingJobs, fileJobs } from './background/jobs.ts';
import { openBilling } from './compose/billing.ts';
import { makeChecks } from './compose/checks.ts';
import { openBlocklist, openFileCache, openHashPool, openKms, openMailer } from './compose/chosen.ts';
import type { Composition } from './compose/composition.ts';
import { makeContainer } from './compose/container.ts';
import { openLimiter } from './compose/limiter.ts';
import { openObservation } from './compose/observation.ts';
import { type OwnParts, ownKms, ownLimiter, requireKnownParts } from './compose/own-parts.ts';
import { billingPortsFrom, filesPortsFrom, portsFrom } from './compose/ports-from.ts';
import { type Resources, withResources } from './compose/resources.ts';
import { watchChecks } from './compose/watch-checks.ts';
import { watchMailer } from './compose/watched-mailer.ts';
import type { Config } from './config.ts';
import { systemClock } from './crypto/clock.ts';
import { makeDigest } from './crypto/digest.ts';
import { domainNames } from './crypto/domain-names.ts';
import { makeRandom } from './crypto/random.ts';
import { makeSealer } from './crypto/sealer.ts';
import { inDataDir, makeDataDir } from './data-dir.ts';
import { makeDns } from './dns/dns.ts';
import { requireInstallation, requireKeys } from './installation/existing-store.ts';
import { initKeyFile, type KeyKind, makeMissingKeys, secretValues } from './installation/first-start.ts';
import { fromFile } from './installation/from-file.ts';
import { rotateMasterKey } from './installation/master-key.ts';
import { openOrigin } from './installation/origin.ts';
import { makeAccessTokens } from './jwt/access-tokens.ts';
import { openSigningKeys } from './jwt/signing-keys.ts';
import { makeTotp } from './otp/totp.ts';
import { makeLog } from './pino/log.ts';
import { withOwnLog } from './pino/own-log.ts';
import { quietLog } from './pino/quiet-log.ts';
import { pacedEpoch } from './presence/paced-epoch.ts';
import { makeNbpRateSource } from './rates/nbp.ts';
import { findStore, openForServer, openForWork } from './stores.ts';
import { version } from './version.ts';

export type { Composition } from './compose/composition.ts';
export type { OwnParts } from './compose/own-parts.ts';
export { openAggregate } from './metrics/metrics.ts';
export { makeLog } from './pino/log.ts';
export type { StorePorts } from './store-place.ts';
export { StoreUnusable } from './store-place.ts';

/** `initKeyFile` with this machine's clock and randomness. */
export const makeKeyFile = (kind: KeyKind, path: string): Promise<boolean> =>
  initKeyFile(kind, path, systemClock, makeRandom());

/** Every part by its role: the core's ports, and what they and the background work are made of. */
interface Parts extends AccountsPorts, FilesPorts, BillingPorts {
  readonly leases: Leases;
}

/** Milliseconds from the start to the background work: the first requests come before it. */
const AFTER_START = 250;

/** Milliseconds between two writes of access counts: what a crash loses is younger than 5 s. */
const ACCESSES_EVERY = 2_000;

/**
 * Opens what the settings name and puts it together. Throws `ConfigError`, `StoreUnusable`, and `TypeError` for a part
 * that it does not take.
 */
export const compose = async (config: Config, own: OwnParts = {}): Promise<Composition> => {
  requireKnownParts(own);
  return withResources((resources) => composeOf(config, own, resources));
};

const composeOf = async (config: Config, own: OwnParts, resources: Resources): Promise<Composition> => {
  const { opened, onClose } = resources;
  const container = makeContainer();
  const provide = <Name extends keyof Parts>(name: Name, part: Parts[Name]): Parts[Name] => {
    const watched = observation.part(name, part);
    container.registerInstance<Parts[Name]>(name, watched);
    return watched;
  };
  const provideAll = (parts: Partial<Parts>) => {
    for (const [name, part] of Object.entries(parts)) {
      container.registerInstance(name, observation.part(name, part));
    }
  };
  const part = <Name extends keyof Parts>(name: Name): Parts[Name] => container.resolve<Parts[Name]>(name);
  const processLog = makeLog(config.logLevel);
  onClose(() => processLog.flush());
  const observation = opened(openObservation(config, own, processLog));
  const log = provide('log', quietLog(own.log ?? processLog));
  const clock = provide('clock', own.clock ?? systemClock);
  const random = provide('random', makeRandom());
  makeDataDir(config.dataDir);
  const place = opened(await findStore(config, { clock, log, upgrades: !own.onlyExisting }));
  if (own.onlyExisting === true) requireInstallation(config, place.isThere);
  // The keys of an app's own KMS are no file of ours.
  const ourKms = own.kms ? null : config.kms;
  requireKeys({ ...config, kms: ourKms }, place.isThere);
  const [hashKeys, internalSecrets] = await inDataDir(
    Promise.all([
      secretValues('HASH_KEY', config.hashKeys, random),
      secretValues('INTERNAL_SECRET', config.internalSecrets, random),
      makeMissingKeys(clock, {
        signing: config.signingKeys,
        master: ourKms?.kind === 'local' ? ourKms.keys : null,
      }),
    ]),
  );
  const keyBytes = hashKeys.map((key) => Buffer.from(key));
  const digest = provide('digest', makeDigest(keyBytes));
  provide('sealer', makeSealer(keyBytes));

  const store = await (own.onlyExisting ? openForWork : openForServer)(place);
  const storePorts = { ...store.ports, ...own.store };
  provideAll({ ...storePorts, epoch: pacedEpoch(storePorts.epoch) });
  const limits = own.limiter
    ? ownLimiter(own.limiter)
    : opened(openLimiter(config, { clock: own.clock, log }));
  const limiter = provide('limiter', limits);

  const [signingKeys, kms] = await Promise.all([
    fromFile('SIGNING_KEYS_FILE', openSigningKeys({ file: config.signingKeys.path, log })).then(opened),
    own.kms ? ownKms(own.kms) : fromFile('MASTER_KEYS_FILE', openKms(config, log)).then(opened),
  ]);
  const { host, origin, issuer, listensAt } = await openOrigin(config);
  provide('tokens', makeAccessTokens({ keys: signingKeys, issuer, audience: config.tokenAudience }));
  provide('kms', kms);
  provide('totp', makeTotp({ issuer: config.productName }));
  provide('domains', domainNames);
  provide('dns', own.dns ?? makeDns());
  provide('ownHost', host);
  const hashPool = opened(openHashPool(config, log, observation.hashed));
  provide('hasher', hashPool);
  provide('blocklist', await openBlocklist(config));
  const mailer = watchMailer(own.mailer ?? openMailer(config, clock, opened), clock);
  provide('mailer', mailer);
  provide('events', own.events ?? { publish: async () => undefined });

  const [cache] = await Promise.all([openFileCache(config, { clock, log }).then(opened), limits.tried]);
  provide('cache', cache);
  const files = createFiles(filesPortsFrom(part), { syncLimitBytes: config.syncLimitBytes });
  cache.onReturn(files.background.cacheReturned);
  const accesses = opened(makeEvery('accesses', ACCESSES_EVERY, files.background.flushAccesses, log));
  provide('userFiles', {
    count: files.countOf,
    list: (userId) => files.listAll({ userId }),
    removeAll: files.deleteAllOf,
  });

  const seller = opened(await openBilling(config, { ...own, origin, clock, log, random }));
  provide('provider', seller.provider);
  provide('rateSource', makeNbpRateSource({ url: config.nbpUrl }));
  provide('userBilling', {
    forget: async (userId, customerIds) => sold.forget(userId, customerIds),
  });

  let background: Background | undefined;
  provide('wake', () => background?.wake());
  const accounts = createAccounts(portsFrom(part), {
    productName: config.productName,
    accessTokenSeconds: config.accessTokenSeconds,
    refreshTokenLife: config.refreshTokenDays * DAY,
    sessionLife: config.sessionMaxDays * DAY,
    refreshGrace: config.refreshGraceSeconds * 1_000,
    freshFor: config.reauthSeconds * 1_000,
    operatorsNeedSecondFactor: config.operatorsNeed2fa,
    resendLimit: config.rateLimits.resend,
    tiers: config.tiers,
    selfEntitlement: config.selfEntitlement,
  });

  provide('subscribers', accounts.subscribers);
  const sold = createBilling(billingPortsFrom(part), {
    tiers: config.tiers,
    rateFallback: config.usdPlnFallback,
  });

  await accounts.begin();
  const leases = part('leases');
  const holder = `${hostname()}:${process.pid}:${random.text(6)}`;
  const ofFiles = opened(makeBackground({ leases, holder, log, jobs: observation.jobs(fileJobs(files)) }));
  background = opened(
    makeBackground({
      leases,
      holder,
      log,
      jobs: observation.jobs([...accountJobs(accounts, () => background?.wake()), ...billingJobs(sold)]),
    }),
  );

  const checks = makeChecks({ store, mailer, cache, files, kms, billing: seller });
  const dependencies = opened(watchChecks(checks, { clock, log }));
  observation.sample({ checks, outbox: part('outbox'), ledger: part('ledger'), hashing: hashPool.stats });

  let starting: NodeJS.Timeout | undefined;
  const begin = ({ accounts: served }: { readonly accounts: boolean }) => {
    for (const one of [accesses, dependencies, ofFiles]) one.start();
    if (!served) return;
    hashPool.start();
    background?.start();
  };
  let closed: Promise<void> | undefined;
  const closeAll = async () => {
    clearTimeout(starting);
    await resources.closeAll();
    await container.dispose();
  };
  return {
    version,
    accounts,
    files,
    billing: sold,
    sandbox: seller.sandbox,
    rotateMasterKey: () => rotateMasterKey(ourKms, kms),
    limiter,
    log: observation.part('log', withOwnLog(processLog, own.log)),
    internalSecrets,
    metadataSecrets: config.metadataSecrets ?? internalSecrets,
    hashKey: (text) => digest.keyed('limiter', text),
    checks,
    watch: observation.requests,
    ...(observation.scrape && { scrape: observation.scrape }),
    listensAt,
    start: (what) => {
      starting = setTimeout(begin, AFTER_START, what);
    },
    settle: makeSettle({ accounts, leases, holder }),
    close: () => {
      closed ??= closeAll();
      return closed;
    },
  };
};

const DAY = 86_400_000;
