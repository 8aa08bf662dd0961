import { type Billing, noMailTexts } from '../../core/index.ts';
import { noBrand } from '../brand/read-brand.ts';
import { readConfig, type Secrets } from '../config.ts';
import { makeRandom } from '../crypto/random.ts';
import { makeBlocklist } from '../hashing/blocklist.ts';
import { startHashHere } from '../hashing/hash-here.ts';
import { makeHashPool } from '../hashing/hash-pool.ts';
import { makeOrigin } from '../installation/origin.ts';
import { makePassingSigningKeys } from '../jwt/signing-keys.ts';
import { makeKeyRing, rotateKeyRing } from '../kms/key-ring.ts';
import { makeLocalKms } from '../kms/local.ts';
import { withOwnLog } from '../log/own-log.ts';
import { makeMemoryClock } from '../memory/clock.ts';
import { makeMemoryDns } from '../memory/dns.ts';
import { makeMemoryEvents } from '../memory/events.ts';
import { makeMemoryFileCache } from '../memory/file-cache.ts';
import { makeMemoryMailer } from '../memory/mailer.ts';
import { makeMemoryStore } from '../memory/store.ts';
import { noBilling } from '../no-billing/provider.ts';
import { openIdentityProviders } from '../oidc/identity-providers.ts';
import { makeMemoryBooks } from '../sandbox-billing/book.ts';
import { openSandboxBilling } from '../sandbox-billing/provider.ts';
import { makeMemoryLimiter } from '../sqlite/limits/memory-limiter.ts';
import type { OpenedBilling } from './billing.ts';
import { makeAskMetadata } from './metadata-health.ts';
import { noEndpoints, silent, unobserved } from './no-parts.ts';
import type { Base, Opened } from './opened.ts';
import { type OwnParts, ownKms, requireKnownParts } from './own-parts.ts';
import { watchMailer } from './watched-mailer.ts';

/** Parts of an app's own for its tests; all others are in memory. */
export interface InMemoryParts
  extends Pick<
    OwnParts,
    'mailer' | 'mailTexts' | 'events' | 'log' | 'kms' | 'limiter' | 'providers' | 'store'
  > {
  /** By their names, such as `TIERS`. Those of files, servers and providers have no effect. */
  readonly settings?: Readonly<Record<string, string>>;
}

const KNOWN: Readonly<Record<keyof InMemoryParts, true>> = {
  mailer: true,
  mailTexts: true,
  events: true,
  log: true,
  kms: true,
  limiter: true,
  providers: true,
  store: true,
  settings: true,
};

/** Hashes that take no time, and no list of passwords, which would be read from a file. */
const QUICK = { SCRYPT: 'ln=1,r=1,p=1', PASSWORD_BLOCKLIST: 'off', PUBLIC_URL: 'http://localhost:3000' };

const openKms = (now: () => number, own: OwnParts['kms']): Pick<Opened, 'kms' | 'rotateMasterKey'> => {
  let ring = makeKeyRing(now());
  const kms = ownKms(own ?? makeLocalKms({ current: () => ring, refresh: async () => undefined }));
  const rotateMasterKey = () => {
    ring = rotateKeyRing(ring, now());
    return kms.current();
  };
  return { kms, rotateMasterKey };
};

/** The sandbox, whose deliveries are handed over without a network; nobody takes them before `billing` is known. */
const openSandbox = (
  { config, clock, log }: Pick<Base, 'config' | 'clock' | 'log'>,
  origin: () => string,
  billing: () => Billing | undefined,
): OpenedBilling & { posted(): Promise<void> } => {
  if (config.billing.provider === 'none') {
    const nothing = async () => undefined;
    return { provider: noBilling, sandbox: null, isUp: () => true, posted: nothing, close: nothing };
  }
  const { checkoutSuccessUrl, billingReturnUrl } = config;
  const { buyerActions, ...opened } = openSandboxBilling({
    ...{ clock, log, origin, books: makeMemoryBooks(), secrets: [makeRandom().text(32)] },
    successUrl: () => checkoutSuccessUrl ?? `${origin()}/billing/success`,
    returnUrl: () => billingReturnUrl ?? `${origin()}/billing/return`,
    send: async (headers, body) => {
      const taken = await billing()?.receiveEvent(headers, Buffer.from(body));
      return taken !== undefined;
    },
  });
  return { ...opened, sandbox: buyerActions, isUp: () => true };
};

/** Opens every part in memory. Throws `ConfigError`, and `invalid` (`invalid_request`) for a wrong part. */
export const openInMemory = (own: InMemoryParts, billing: () => Billing | undefined) => {
  requireKnownParts(own, KNOWN, 'A product in memory');
  const random = makeRandom();
  const secrets = { HASH_KEY: random.text(32), INTERNAL_SECRET: random.text(32) };
  const config = readConfig({ ...QUICK, ...secrets, ...own.settings }, null);
  const log = withOwnLog(silent, own.log);
  const [clock, dns, mailer, events] = [
    makeMemoryClock(),
    makeMemoryDns(),
    makeMemoryMailer(own.mailer),
    makeMemoryEvents(own.events),
  ];
  const base: Base = {
    ...{ config, log, clock, random, observation: unobserved, processLog: silent },
    own: { ...(own.log && { log: own.log }), ...(own.providers && { providers: own.providers }), events },
  };
  const ports = { ...makeMemoryStore(clock), ...own.store };
  const origin = makeOrigin(config, async (listening) => listening);
  const seller = openSandbox(base, origin.origin, billing);
  const isUp = async () => true;
  const opened: Opened = {
    ...openKms(clock.now, own.kms),
    ...{ origin, seller, dns },
    store: { ports, isUp, areObjectsUp: () => true },
    limiter: own.limiter ?? makeMemoryLimiter(clock),
    signingKeys: makePassingSigningKeys(clock.now()),
    hashPool: makeHashPool({ cost: config.scrypt, log, start: startHashHere }),
    blocklist: makeBlocklist(config.passwordBlocklist),
    mailer: watchMailer(mailer, clock),
    mailTexts: own.mailTexts ?? noMailTexts,
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
        effectiveDate: new Date(clock.now()).toISOString().slice(0, 10),
      }),
    },
    webhookSender: noEndpoints,
    providers: openIdentityProviders([], { clock, log, redirectUri: (id) => id }),
    hashKeys: givenIn(config.hashKeys).map((key) => Buffer.from(key)),
    internalSecrets: givenIn(config.internalSecrets),
  };
  return { base, opened, clock, dns, mailer, events, leases: ports.leases, posted: seller.posted };
};

/** All secrets are given: there is no folder where one could be made. */
const givenIn = (secrets: Secrets): readonly string[] => ('given' in secrets ? secrets.given : []);
