import {
  type BillingProvider,
  type Clock,
  CoreError,
  type Delivery,
  type FileCache,
  type Kms,
  type Limiter,
  type Log,
  type Mailer,
  type PasswordBlocklist,
  type Random,
} from '../../core/index.ts';
import { noBilling } from '../billing/no-provider.ts';
import {
  type CustomerRecords,
  makeCustomerRecords,
  makeMemoryCustomerRecords,
  sandboxFolder,
} from '../billing/sandbox-customers.ts';
import { openSandboxBilling, type SandboxBilling } from '../billing/sandbox-provider.ts';
import { MissingRegion } from '../calls/aws-client.ts';
import { MissingPackage } from '../calls/optional-package.ts';
import { missingPackages } from '../config/config-error.ts';
import { type Config, ConfigError } from '../config.ts';
import { systemClock } from '../crypto/clock.ts';
import { inDataDir } from '../data-dir.ts';
import { makeBlocklist } from '../hashing/blocklist.ts';
import { startChildProcessRunner } from '../hashing/child-process-runner.ts';
import { type HashPool, type HashPoolOptions, makeHashPool } from '../hashing/hash-pool.ts';
import type { StartHashRunner } from '../hashing/runner-with-deadline.ts';
import { startWorkerThreadRunner } from '../hashing/worker-thread-runner.ts';
import { secretValues } from '../installation/create-keys-and-secrets.ts';
import { openAwsKms } from '../kms/aws.ts';
import { openLocalKms } from '../kms/local.ts';
import { openVaultKms, type VaultKms } from '../kms/vault.ts';
import { makeFileMailer } from '../mailers/mail-files.ts';
import { makeSendGridMailer } from '../mailers/sendgrid.ts';
import { makeSmtpMailer } from '../mailers/smtp.ts';
import { makePolarProvider } from '../polar/provider.ts';
import { openRedisFileCache } from '../redis/file-cache.ts';
import { openRedisLimiter } from '../redis/limiter.ts';
import { redisAddress } from '../redis/redis-url.ts';
import { openSqliteFileCache } from '../sqlite/cache/file-cache.ts';
import { makeLimiter } from '../sqlite/limits/limiter.ts';
import { makeMemoryLimiter } from '../sqlite/limits/memory-limiter.ts';

// Chooses an adapter by the settings, for the ports that have several.

/** The chosen KMS. The local one has no `isUp`, as it is always up; only Vault's has `rotate`. */
export type ManagedKms = Kms & Partial<VaultKms>;

const NO_REGION = 'AWS_REGION must be set with KMS=aws, where AWS_KMS_KEY_ID is no ARN';

export const openKms = async ({ kms }: Config, log: Log): Promise<ManagedKms> => {
  switch (kms.kind) {
    case 'local':
      return openLocalKms({ file: kms.keys.path, log });
    case 'aws':
      return openAwsKms({ ...kms, log }).catch((error: unknown) => {
        if (error instanceof MissingRegion) throw new ConfigError([NO_REGION]);
        if (error instanceof MissingPackage)
          throw missingPackages('KMS', 'aws needs a package', [error.packageName]);
        throw error;
      });
    case 'vault':
      return openVaultKms({ ...kms, log });
  }
};

/** Reads an operator's list now, so that a wrong file stops the start; the built-in list is read at its first use. */
export const openBlocklist = async ({ passwordBlocklist }: Config): Promise<PasswordBlocklist> => {
  const blocklist = makeBlocklist(passwordBlocklist);
  if (passwordBlocklist === 'builtin') return blocklist;
  try {
    await blocklist.load();
    return blocklist;
  } catch (error) {
    throw error instanceof CoreError ? new ConfigError([error.message]) : error;
  }
};

export const openHashPool = (
  { scrypt, hasher, hashWorkers, hashQueue }: Config,
  deps: Pick<HashPoolOptions, 'log' | 'hashed'>,
  startNative: StartHashRunner = startChildProcessRunner,
): HashPool =>
  makeHashPool({
    ...deps,
    cost: scrypt,
    start: hasher === 'native' ? startNative : startWorkerThreadRunner,
    workers: hashWorkers,
    queue: hashQueue,
  });

export const openMailer = ({ mail }: Config, clock: Clock): Mailer & { close?(): void } => {
  switch (mail.provider) {
    case 'files':
      return makeFileMailer({ folder: mail.folder, from: mail.from, clock });
    case 'smtp':
      return makeSmtpMailer({ url: mail.url, from: mail.from, plain: mail.plain });
    case 'sendgrid':
      return makeSendGridMailer({ apiKey: mail.apiKey, baseUrl: mail.url, from: mail.from });
  }
};

export interface OpenedFileCache extends FileCache {
  /** Whether the cache works now. */
  isUp(): Promise<boolean>;
  /**
   * Calls the listener each time the cache is back, before anything is read from it. `replaced`: another server took its
   * place and may lack its last changes, so entries may be out of date.
   */
  onReturn(listener: (replaced?: boolean) => Promise<void>): void;
  close(): Promise<void>;
}

type RedisSettings = Pick<Config, 'redisUrl' | 'redisCluster' | 'redisCacheUrl' | 'redisLimiterUrl'>;

/** The address of the cache's or the limiter's Redis, and the name of its setting; undefined where there is none. */
const findRedis = (config: RedisSettings, own: 'REDIS_CACHE_URL' | 'REDIS_LIMITER_URL') => {
  const ownUrl = own === 'REDIS_CACHE_URL' ? config.redisCacheUrl : config.redisLimiterUrl;
  const setting = ownUrl === null ? 'REDIS_URL' : own;
  const url = ownUrl ?? config.redisUrl;
  return url === null ? undefined : { setting, url: redisAddress(url, setting, config.redisCluster) };
};

/** Waits for the first attempt to connect. Closes the connection and throws `ConfigError` if Redis refuses the setting. */
const requireAccepted = async (
  setting: string,
  redis: Pick<OpenedLimiter, 'tried' | 'close'> & { wrongSetting(): string | undefined },
): Promise<void> => {
  await redis.tried;
  const refusal = redis.wrongSetting();
  if (refusal === undefined) return;
  await redis.close();
  throw new ConfigError([
    `${setting}: Redis refuses the user, the password, the database or the name of the primary, or is no cluster (${refusal})`,
  ]);
};

/** Opens the cache of file records. The start goes on if the cache is down, and ends with `ConfigError` if a setting is wrong. */
export const openFileCache = async (
  { dataDir, ...config }: Pick<Config, 'dataDir'> & RedisSettings,
  deps: { readonly clock: Clock; readonly log: Log },
): Promise<OpenedFileCache> => {
  const redis = findRedis(config, 'REDIS_CACHE_URL');
  if (redis === undefined) return openSqliteFileCache({ folder: dataDir, ...deps });
  const cache = openRedisFileCache({ url: redis.url, log: deps.log });
  await requireAccepted(redis.setting, cache);
  return cache;
};

export interface OpenedLimiter extends Limiter {
  /** Resolves within little more than a second, when the limiter is connected or has found that it cannot connect yet. */
  readonly tried: Promise<void>;
  close(): Promise<void> | void;
}

/**
 * Opens the limiter: over Redis if it is set, else over the processes of this machine. It uses the clock of an embedding app
 * if given, else the clock of Redis or of this machine. Throws `ConfigError` for a malformed address; `tried` rejects with one
 * if Redis refuses the setting.
 */
export const openLimiter = (
  { dataDir, ...config }: Pick<Config, 'dataDir'> & RedisSettings,
  { clock, log }: { readonly clock: Clock | undefined; readonly log: Log },
): OpenedLimiter => {
  const limiterClock = clock ?? systemClock;
  const redis = findRedis(config, 'REDIS_LIMITER_URL');
  if (redis === undefined) {
    return { ...makeLimiter({ folder: dataDir, clock: limiterClock, log }), tried: Promise.resolve() };
  }
  const limiter = openRedisLimiter({ url: redis.url, log, clock, fallback: makeMemoryLimiter(limiterClock) });
  const tried = requireAccepted(redis.setting, limiter);
  // Avoids an unhandled rejection; the caller awaits the promise.
  tried.catch(() => undefined);
  return { ...limiter, tried };
};

/** Temporary failures in a row after which the provider counts as down: a single failure may be a mailbox's fault. */
const FAILURES_UNTIL_DOWN = 3;
/** The time for which failures count: the longest wait of a mail for its next attempt. */
const FAILURE_LIFE_MS = 3_600_000;

export interface WatchedMailer extends Mailer {
  /** False while the provider accepts no mail, as seen by the calls of this process. */
  isUp(): boolean;
}

export const watchMailer = (mailer: Mailer, clock: Clock): WatchedMailer => {
  let failures = 0;
  let notedAt = 0;

  const note = (outcome: Delivery['outcome']) => {
    failures = outcome === 'again' ? failures + 1 : 0;
    notedAt = clock.now();
  };

  return {
    send: async (message) => {
      try {
        const delivery = await mailer.send(message);
        note(delivery.outcome);
        return delivery;
      } catch (error) {
        note('again');
        throw error;
      }
    },
    // By `abs`: a time in the future was noted before the clock was set back.
    isUp: () => failures < FAILURES_UNTIL_DOWN || Math.abs(clock.now() - notedAt) > FAILURE_LIFE_MS,
  };
};

export interface OpenedBilling {
  readonly provider: BillingProvider;
  /** The actions behind the pages of the sandbox; null for other providers. */
  readonly sandbox: SandboxBilling['buyerActions'] | null;
  /** False while the provider is down, as seen by the calls of this process. Absent: it is on this machine. */
  isUp?(): boolean;
  close?(): void;
}

const withoutProvider: OpenedBilling = { provider: noBilling, sandbox: null };

interface BillingDeps {
  readonly origin: () => string;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: Random;
}

const pagesAfter = ({ checkoutSuccessUrl, billingReturnUrl }: Config, origin: () => string) => ({
  successUrl: () => checkoutSuccessUrl ?? `${origin()}/billing/success`,
  returnUrl: () => billingReturnUrl ?? `${origin()}/billing/return`,
});

const openSandbox = (
  config: Config,
  { origin, clock }: Pick<BillingDeps, 'origin' | 'clock'>,
  records: CustomerRecords,
  secrets: readonly string[],
): OpenedBilling => {
  const pages = pagesAfter(config, origin);
  const { provider, buyerActions } = openSandboxBilling({ records, secrets, origin, clock, ...pages });
  return { provider, sandbox: buyerActions };
};

export const openBilling = async (config: Config, deps: BillingDeps): Promise<OpenedBilling> => {
  const { billing, dataDir } = config;
  switch (billing.provider) {
    case 'none':
      return withoutProvider;
    case 'polar': {
      const pages = pagesAfter(config, deps.origin);
      const provider = makePolarProvider({ ...billing, ...pages, log: deps.log });
      return { provider, sandbox: null, isUp: provider.isUp, close: provider.close };
    }
    case 'sandbox': {
      const secrets = await inDataDir(secretValues('WEBHOOK_SECRETS', billing.webhookSecrets, deps.random));
      return openSandbox(config, deps, makeCustomerRecords(sandboxFolder(dataDir)), secrets);
    }
  }
};

/** Opens the sandbox in memory unless the settings say `none`. */
export const openBillingInMemory = (config: Config, deps: Omit<BillingDeps, 'log'>): OpenedBilling =>
  config.billing.provider === 'none'
    ? withoutProvider
    : openSandbox(config, deps, makeMemoryCustomerRecords(), [deps.random.text(32)]);
