import type {
  Clock,
  Dns,
  KeyLine,
  Limiter,
  Log,
  MailTexts,
  PasswordBlocklist,
  Random,
  RateSource,
  WebhookSender,
} from '../../core/index.ts';
import { makeNbpRateSource } from '../billing/nbp-rates.ts';
import { type Brand, readBrand } from '../branding/read-branding.ts';
import { readMailTexts } from '../branding/read-mail-texts.ts';
import { findStore, openForServer, openForWork } from '../choose-store.ts';
import { ConfigError } from '../config/config-error.ts';
import type { Config } from '../config.ts';
import { systemClock } from '../crypto/clock.ts';
import { makeRandom } from '../crypto/random.ts';
import { inDataDir, makeDataDir } from '../data-dir.ts';
import { makeDns } from '../dns/dns.ts';
import type { HashPool } from '../hashing/hash-pool.ts';
import { makeMissingKeys, secretValues } from '../installation/create-keys-and-secrets.ts';
import { fromFile, openKeyFiles, rotateMasterKey } from '../installation/key-files.ts';
import { type Origin, openOrigin } from '../installation/origin-and-issuer.ts';
import { requireKeys, requireRemoteStore } from '../installation/require-existing-store.ts';
import { openSigningKeys, type SigningKeys } from '../jwt/signing-keys.ts';
import { makeLog, type ProcessLog } from '../log/log.ts';
import { quietLog } from '../log/quiet-log.ts';
import { type OpenedProviders, openIdentityProviders } from '../oidc/identity-providers.ts';
import { makeWebhookSender } from '../signed-deliveries/webhook-sender.ts';
import type { OpenedStore, UnopenedStore } from '../store.ts';
import {
  type ManagedKms,
  type OpenedBilling,
  type OpenedFileCache,
  type OpenedLimiter,
  openBilling,
  openBlocklist,
  openFileCache,
  openHashPool,
  openKms,
  openLimiter,
  openMailer,
  type WatchedMailer,
  watchMailer,
} from './choose-adapters.ts';
import { type AskMetadata, makeAskMetadata } from './metadata-health.ts';
import { type Observation, openObservation } from './metrics-and-traces.ts';
import { guardOverrides, kmsOfApp, type Overrides } from './overrides.ts';

const tryReading = <T>(lines: string[], read: () => T): T | undefined => {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    lines.push(...error.lines);
    return undefined;
  }
};

/** Reads the folders that the settings name. Throws `ConfigError` with the faults of all of them. */
export const readOperatorFiles = ({
  brandDir,
  mailTemplatesDir,
}: Pick<Config, 'brandDir' | 'mailTemplatesDir'>) => {
  const lines: string[] = [];
  const brand = tryReading(lines, () => readBrand(brandDir));
  const mailTexts = tryReading(lines, () => readMailTexts(mailTemplatesDir, brand?.mailLogo ?? null));
  if (brand === undefined || mailTexts === undefined) throw new ConfigError(lines);
  return { brand, mailTexts };
};

interface Closable {
  close?(): Promise<void> | void;
}

export interface ClosingScope {
  track<T extends Closable>(resource: T): T;
  /** Closes in reverse order of opening. If some fail, the others are still closed, and the first error is thrown. */
  closeAll(): Promise<void>;
}

/** Runs work that opens resources one after another. If it fails, the resources opened by then are closed. */
export const withClosingScope = async <T>(work: (scope: ClosingScope) => Promise<T>): Promise<T> => {
  const resources: Closable[] = [];
  const closeAll = async () => {
    const errors: unknown[] = [];
    for (const resource of resources.splice(0).reverse()) {
      try {
        await resource.close?.();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  };
  const track = <R extends Closable>(resource: R): R => {
    resources.push(resource);
    return resource;
  };
  try {
    return await work({ track, closeAll });
  } catch (error) {
    // The first error is the one to report.
    await closeAll().catch(() => undefined);
    throw error;
  }
};

/** The options with which all resources are opened. */
export interface Context {
  readonly config: Config;
  readonly overrides: Overrides;
  /** The log of this process: request lines go to it even if an app brings a log. */
  readonly processLog: ProcessLog;
  readonly observation: Observation;
  readonly log: Log;
  readonly clock: Clock;
  readonly random: Random;
}

export const openContext = (config: Config, appOverrides: Overrides, { track }: ClosingScope): Context => {
  const processLog = makeLog(config.logLevel);
  const overrides = guardOverrides(appOverrides, processLog);
  track({ close: processLog.flush });
  const observation = track(openObservation(config, overrides, processLog));
  return {
    config,
    overrides,
    processLog,
    observation,
    log: observation.log(quietLog(overrides.log ?? processLog)),
    clock: overrides.clock ?? systemClock,
    random: makeRandom(),
  };
};

/** The opened files and sockets behind the ports. */
export interface OpenedResources {
  readonly store: Pick<OpenedStore, 'ports' | 'isUp' | 'areObjectsUp'>;
  readonly limiter: Limiter;
  readonly signingKeys: SigningKeys;
  readonly kms: ManagedKms;
  /** Returns the id of the key that seals now. */
  readonly rotateMasterKey: () => Promise<string>;
  readonly origin: Origin;
  readonly hashPool: HashPool;
  readonly blocklist: PasswordBlocklist;
  readonly mailer: WatchedMailer;
  readonly mailTexts: MailTexts;
  readonly brand: Brand;
  readonly cache: OpenedFileCache;
  readonly billing: OpenedBilling;
  readonly dns: Dns;
  readonly rateSource: RateSource;
  readonly webhookSender: WebhookSender;
  readonly providers: OpenedProviders;
  readonly hashKeys: readonly Buffer[];
  readonly internalSecrets: readonly string[];
  /** The keys of the key files; empty if there is no file. */
  readonly listKeys: () => Promise<readonly KeyLine[]>;
  readonly askMetadata: AskMetadata;
}

/** Opens each resource after those that it needs. Throws `ConfigError`, `StoreUnusable`, and with `onlyExisting` `NoStoreHere`. */
export const openResources = async (context: Context, { track }: ClosingScope): Promise<OpenedResources> => {
  const { config, overrides, observation, clock, log, random } = context;
  const { brand, mailTexts } = readOperatorFiles(config);
  if (!makeDataDir(config.dataDir)) log.warn('data_dir.open_to_others');
  const unopened = track(await findStore(config, { clock, log, isServer: !overrides.onlyExisting }));
  // An app's own KMS has no key file here.
  const kmsSettings = overrides.kms ? null : config.kms;
  const secrets = await openSecrets(context, unopened, kmsSettings);
  const store = await (overrides.onlyExisting ? openForWork : openForServer)(unopened);
  // Not `clock`: unless an app brings a clock, the limiter uses that of Redis.
  const limiter: Limiter & Partial<OpenedLimiter> =
    overrides.limiter ?? track(openLimiter(config, { clock: overrides.clock, log }));
  const signingKeys = track(
    await fromFile('SIGNING_KEYS_FILE', openSigningKeys({ file: config.signingKeys.path, log })),
  );
  const kms = overrides.kms
    ? kmsOfApp(overrides.kms)
    : track(await fromFile('MASTER_KEYS_FILE', openKms(config, log)));
  const origin = await openOrigin(config);
  const hashPool = track(
    openHashPool(config, { log, hashed: observation.hashed }, overrides.startHashRunner),
  );
  const blocklist = await openBlocklist(config);
  const mailer = watchMailer(overrides.mailer ?? track(openMailer(config, clock)), clock);
  const cache = track(await openFileCache(config, { clock, log }));
  // The limiter has been connecting while the resources above were opened.
  await limiter.tried;
  const { webhookUrls: targets, webhookAllowPrivate: allowPrivate } = config;
  const webhookSender = track(makeWebhookSender({ targets, allowPrivate, clock }));
  const billing = track(await openBilling(config, { origin: origin.origin, clock, log, random }));
  const redirectUri = (id: string) => `${origin.origin()}/api/auth/providers/${id}/callback`;
  // If an app brings providers, they replace those of the settings, which are then not opened.
  const providers = track(
    openIdentityProviders(overrides.providers ? [] : config.signIn.providers, { clock, log, redirectUri }),
  );
  return {
    brand,
    mailTexts: overrides.mailTexts ?? mailTexts,
    store,
    limiter,
    signingKeys,
    kms,
    origin,
    hashPool,
    blocklist,
    mailer,
    cache,
    billing,
    rotateMasterKey: () => rotateMasterKey(kmsSettings, kms),
    listKeys: () => openKeyFiles(config).list(),
    askMetadata: makeAskMetadata(config.metadataUrl),
    dns: makeDns(),
    rateSource: makeNbpRateSource({ url: config.nbpUrl }),
    webhookSender,
    providers,
    ...secrets,
  };
};

const openSecrets = async (
  { config, overrides, clock, random }: Context,
  unopened: UnopenedStore,
  kmsSettings: Config['kms'] | null,
) => {
  if (overrides.onlyExisting === true) requireRemoteStore(config, unopened.isThere);
  requireKeys({ ...config, kms: kmsSettings }, unopened.isThere);
  const [hashKeys, internalSecrets] = await inDataDir(
    Promise.all([
      secretValues('HASH_KEY', config.hashKeys, random),
      secretValues('INTERNAL_SECRET', config.internalSecrets, random),
      makeMissingKeys(clock, {
        signing: config.signingKeys,
        master: kmsSettings?.kind === 'local' ? kmsSettings.keys : null,
      }),
    ]),
  );
  return { hashKeys: hashKeys.map((key) => Buffer.from(key)), internalSecrets };
};
