import { requireArguments } from '../../core/check-arguments.ts';
import { type Leases, noMailTexts } from '../../core/index.ts';
import { isoDay } from '../../core/iso-times.ts';
import { OBJECT, optional } from '../../core/schema.ts';
import type { Job } from '../background/job-runner.ts';
import { noBrand } from '../branding/read-branding.ts';
import { openMemoryStore } from '../choose-store.ts';
import { readConfig, type Secrets } from '../config.ts';
import { makeRandom } from '../crypto/random.ts';
import { makeBlocklist } from '../hashing/blocklist.ts';
import { makeHashPool } from '../hashing/hash-pool.ts';
import { startInProcessRunner } from '../hashing/in-process-runner.ts';
import { makeOrigin } from '../installation/origin-and-issuer.ts';
import { makeEphemeralSigningKeys } from '../jwt/signing-keys.ts';
import { makeKeyRing, rotateKeyRing } from '../kms/key-ring.ts';
import { makeLocalKms } from '../kms/local.ts';
import { makeLog, withAppLog } from '../log/log.ts';
import { makeMemoryClock } from '../memory/clock.ts';
import { makeMemoryDns } from '../memory/dns.ts';
import { makeMemoryEvents } from '../memory/events.ts';
import { makeMemoryFileCache } from '../memory/file-cache.ts';
import { makeMemoryMailer } from '../memory/mailer.ts';
import { openIdentityProviders } from '../oidc/identity-providers.ts';
import { makeWebhookSender } from '../signed-deliveries/webhook-sender.ts';
import { makeMemoryLimiter } from '../sqlite/limits/memory-limiter.ts';
import { openBillingInMemory, watchMailer } from './choose-adapters.ts';
import { makeAskMetadata } from './metadata-health.ts';
import { openObservation } from './metrics-and-traces.ts';
import type { Context, OpenedResources } from './open-resources.ts';
import { checkOverrides, guardOverrides, kmsOfApp, type Overrides } from './overrides.ts';

/** The overrides that an app may use in its tests; all other parts are in memory. */
const OVERRIDES = [
  'mailer',
  'mailTexts',
  'events',
  'log',
  'kms',
  'limiter',
  'providers',
  'store',
] as const satisfies readonly (keyof Overrides)[];

export interface InMemoryParts extends Pick<Overrides, (typeof OVERRIDES)[number]> {
  /** Settings by name, such as `TIERS`. Settings of files, servers and providers have no effect. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Cheap hashes; no password list, since it would be read from a file; an address at which nothing listens. */
const QUICK = { SCRYPT: 'ln=1,r=1,p=1', PASSWORD_BLOCKLIST: 'off', PUBLIC_URL: 'http://localhost:3000' };

const openKms = (
  now: () => number,
  appKms: Overrides['kms'],
): Pick<OpenedResources, 'kms' | 'rotateMasterKey'> => {
  let ring = makeKeyRing(now());
  const kms = kmsOfApp(appKms ?? makeLocalKms({ current: () => ring, refresh: async () => undefined }));
  const rotateMasterKey = () => {
    ring = rotateKeyRing(ring, now());
    return kms.current();
  };
  return { kms, rotateMasterKey };
};

/** A run of the background work that has not ended. Runs of one job may overlap. */
interface JobRun {
  readonly job: string;
  readonly ended: Promise<number>;
}

/** Opens every resource in memory. Throws `ConfigError`, and `invalid` (`invalid_request`) for a wrong override. */
export const openInMemory = (appParts: InMemoryParts) => {
  // The empty list: the overrides of our own commands and tests are refused.
  checkOverrides(appParts, 'A product in memory', [...OVERRIDES, 'settings'], []);
  requireArguments([appParts.settings], { 'overrides.settings': optional(OBJECT) });
  const random = makeRandom();
  const secrets = { HASH_KEY: random.text(32), INTERNAL_SECRET: random.text(32) };
  // `null`: no `.env` file is read.
  const config = readConfig({ ...QUICK, ...secrets, ...appParts.settings }, null);
  const processLog = makeLog('silent');
  const overrides = guardOverrides(appParts, processLog);
  const log = withAppLog(processLog, overrides.log);
  const clock = makeMemoryClock();
  const dns = makeMemoryDns();
  const mailer = makeMemoryMailer(overrides.mailer);
  const events = makeMemoryEvents(overrides.events);
  const store = openMemoryStore(clock);
  const leases = shareLeases(overrides.store?.leases ?? store.ports.leases, random.text(6));
  const observation = openObservation(config, {}, processLog);
  const runs = new Set<JobRun>();
  const watchRuns = (jobs: readonly Job[]): readonly Job[] =>
    jobs.map((job) => ({
      ...job,
      run: (fence) => {
        const ended = job.run(fence).finally(() => runs.delete(jobRun));
        const jobRun = { job: job.name, ended };
        runs.add(jobRun);
        return ended;
      },
    }));
  const context: Context = {
    config,
    log,
    clock,
    random,
    observation: { ...observation, jobs: watchRuns },
    processLog,
    // The overrides that `makePorts` and `assemble` apply; the others are in `resources`.
    overrides: {
      ...(overrides.log && { log: overrides.log }),
      ...(overrides.providers && { providers: overrides.providers }),
      store: { ...overrides.store, leases },
      events,
    },
  };
  // The issuer of tokens is the address itself, since no file keeps an issuer here.
  const origin = makeOrigin(config, async (listening) => listening);
  const isUp = async () => true;
  const resources: OpenedResources = {
    ...openKms(clock.now, overrides.kms),
    origin,
    billing: openBillingInMemory(config, { origin: origin.origin, clock, random }),
    dns,
    store: { ports: store.ports, isUp, areObjectsUp: () => true },
    limiter: overrides.limiter ?? makeMemoryLimiter(clock),
    signingKeys: makeEphemeralSigningKeys(clock.now()),
    hashPool: makeHashPool({ cost: config.scrypt, log, start: startInProcessRunner }),
    blocklist: makeBlocklist(config.passwordBlocklist),
    mailer: watchMailer(mailer, clock),
    mailTexts: overrides.mailTexts ?? noMailTexts,
    brand: noBrand,
    listKeys: async () => [],
    askMetadata: makeAskMetadata(null),
    cache: {
      ...makeMemoryFileCache(clock),
      isUp,
      onReturn: () => undefined,
      close: async () => undefined,
    },
    rateSource: {
      latest: async () => ({
        mid: String(config.usdPlnFallback),
        effectiveDate: isoDay(clock.now()),
      }),
    },
    webhookSender: makeWebhookSender({ targets: [], allowPrivate: false, clock }),
    providers: openIdentityProviders([], { clock, log, redirectUri: (id) => id }),
    hashKeys: secretsIn(config.hashKeys).map((key) => Buffer.from(key)),
    internalSecrets: secretsIn(config.internalSecrets),
  };
  return {
    context,
    resources,
    clock,
    dns,
    mailer,
    events,
    leases,
    runs,
    closeStore: store.close,
  };
};

/**
 * Leases that all callers take under the name of one holder: the background work and `settle`, which runs the same jobs on demand,
 * would otherwise wait for each other.
 */
const shareLeases = (leases: Leases, holder: string): Leases => ({
  take: (name, _holder, milliseconds) => leases.take(name, holder, milliseconds),
  release: (name) => leases.release(name, holder),
  noteSuccess: (name) => leases.noteSuccess(name),
  list: () => leases.list(),
});

/** The secrets that are set: there is no folder in which a missing one could be made. */
const secretsIn = (secrets: Secrets): readonly string[] => ('values' in secrets ? secrets.values : []);
