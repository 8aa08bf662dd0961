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
import type { Brand } from '../brand/read-brand.ts';
import type { Config } from '../config.ts';
import { systemClock } from '../crypto/clock.ts';
import { makeRandom } from '../crypto/random.ts';
import { inDataDir, makeDataDir } from '../data-dir.ts';
import { makeDns } from '../dns/dns.ts';
import type { HashPool } from '../hashing/hash-pool.ts';
import { requireInstallation, requireKeys } from '../installation/existing-store.ts';
import { makeMissingKeys, secretValues } from '../installation/first-start.ts';
import { fromFile } from '../installation/from-file.ts';
import { openKeyFiles } from '../installation/keys.ts';
import { rotateMasterKey } from '../installation/master-key.ts';
import { type Origin, openOrigin } from '../installation/origin.ts';
import { openSigningKeys, type SigningKeys } from '../jwt/signing-keys.ts';
import { makeLog, type ProcessLog } from '../log/log.ts';
import { quietLog } from '../log/quiet-log.ts';
import { type OpenedProviders, openIdentityProviders } from '../oidc/identity-providers.ts';
import { makeNbpRateSource } from '../rates/nbp.ts';
import type { OpenedStore, StorePlace } from '../store-place.ts';
import { findStore, openForServer, openForWork } from '../stores.ts';
import { makeWebhookSender } from '../webhooks/sender.ts';
import { type OpenedBilling, openBilling } from './billing.ts';
import {
  type OpenedFileCache,
  type OpenedKms,
  openBlocklist,
  openFileCache,
  openHashPool,
  openKms,
  openLimiter,
  openMailer,
} from './chosen.ts';
import { type AskMetadata, makeAskMetadata } from './metadata-health.ts';
import { type Observation, openObservation } from './observation.ts';
import { readOwnFiles } from './own-files.ts';
import { type OwnParts, ownKms, ownLimiter } from './own-parts.ts';
import type { Resources } from './resources.ts';
import { type WatchedMailer, watchMailer } from './watched-mailer.ts';

/** What everything else is opened with. */
export interface Base {
  readonly config: Config;
  readonly own: OwnParts;
  /** Of this process: request lines go to it even where an app brings a log. */
  readonly processLog: ProcessLog;
  readonly observation: Observation;
  readonly log: Log;
  readonly clock: Clock;
  readonly random: Random;
}

export const openBase = (config: Config, own: OwnParts, { opened, onClose }: Resources): Base => {
  const processLog = makeLog(config.logLevel);
  onClose(() => processLog.flush());
  const observation = opened(openObservation(config, own, processLog));
  return {
    config,
    own,
    processLog,
    observation,
    log: observation.log(quietLog(own.log ?? processLog)),
    clock: own.clock ?? systemClock,
    random: makeRandom(),
  };
};

/** Files and sockets that the parts are made of. */
export interface Opened {
  readonly store: Pick<OpenedStore, 'ports' | 'isUp' | 'areObjectsUp'>;
  readonly limiter: Limiter;
  readonly signingKeys: SigningKeys;
  readonly kms: OpenedKms;
  /** As in `Composition`. */
  readonly rotateMasterKey: () => Promise<string>;
  readonly origin: Origin;
  readonly hashPool: HashPool;
  readonly blocklist: PasswordBlocklist;
  readonly mailer: WatchedMailer;
  readonly mailTexts: MailTexts;
  readonly brand: Brand;
  readonly cache: OpenedFileCache;
  readonly seller: OpenedBilling;
  readonly dns: Dns;
  readonly rateSource: RateSource;
  readonly webhookSender: WebhookSender;
  readonly providers: OpenedProviders;
  readonly hashKeys: readonly Buffer[];
  readonly internalSecrets: readonly string[];
  /** The keys of the key files; none where there is no file. */
  readonly listKeys: () => Promise<readonly KeyLine[]>;
  readonly askMetadata: AskMetadata;
}

/** Opens what the settings name, each in time for what needs it. Throws `ConfigError`, `StoreUnusable`. */
export const openAll = async (base: Base, { opened }: Resources): Promise<Opened> => {
  const { config, own, observation, clock, log, random } = base;
  const { brand, mailTexts } = readOwnFiles(config);
  makeDataDir(config.dataDir);
  const place = opened(await findStore(config, { clock, log, upgrades: !own.onlyExisting }));
  // The keys of an app's own KMS are no file of ours.
  const kmsSettings = own.kms ? null : config.kms;
  const secrets = await openSecrets(base, place, kmsSettings);
  const store = await (own.onlyExisting ? openForWork : openForServer)(place);
  const limiter = own.limiter
    ? ownLimiter(own.limiter)
    : opened(openLimiter(config, { clock: own.clock, log }));
  const [signingKeys, kms] = await Promise.all([
    fromFile('SIGNING_KEYS_FILE', openSigningKeys({ file: config.signingKeys.path, log })).then(opened),
    own.kms ? ownKms(own.kms) : fromFile('MASTER_KEYS_FILE', openKms(config, log)).then(opened),
  ]);
  const origin = await openOrigin(config);
  const hashPool = opened(openHashPool(config, log, observation.hashed));
  const blocklist = await openBlocklist(config);
  const mailer = watchMailer(own.mailer ?? openMailer(config, clock, opened), clock);
  const [cache] = await Promise.all([openFileCache(config, { clock, log }).then(opened), limiter.tried]);
  const { webhookUrls: targets, webhookAllowPrivate: allowPrivate } = config;
  const webhookSender = opened(makeWebhookSender({ targets, allowPrivate, clock }));
  const seller = opened(await openBilling(config, { ...own, origin: origin.origin, clock, log, random }));
  const redirectUri = (id: string) => `${origin.origin()}/api/auth/providers/${id}/callback`;
  const providers = opened(
    openIdentityProviders(own.providers ? [] : config.signIn.providers, { clock, log, redirectUri }),
  );
  return {
    ...{
      brand,
      mailTexts: own.mailTexts ?? mailTexts,
      store,
      limiter,
      signingKeys,
      kms,
      origin,
      hashPool,
      blocklist,
      mailer,
      cache,
      seller,
    },
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
  { config, own, clock, random }: Base,
  place: StorePlace,
  kms: Base['config']['kms'] | null,
) => {
  if (own.onlyExisting === true) requireInstallation(config, place.isThere);
  requireKeys({ ...config, kms }, place.isThere);
  const [hashKeys, internalSecrets] = await inDataDir(
    Promise.all([
      secretValues('HASH_KEY', config.hashKeys, random),
      secretValues('INTERNAL_SECRET', config.internalSecrets, random),
      makeMissingKeys(clock, {
        signing: config.signingKeys,
        master: kms?.kind === 'local' ? kms.keys : null,
      }),
    ]),
  );
  return { hashKeys: hashKeys.map((key) => Buffer.from(key)), internalSecrets };
};
