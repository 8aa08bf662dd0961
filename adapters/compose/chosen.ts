import {
  type Clock,
  CoreError,
  type FileCache,
  type Kms,
  type Limiter,
  type Log,
  type Mailer,
  type PasswordBlocklist,
} from '../../core/index.ts';
import { MissingRegion } from '../calls/aws-client.ts';
import { MissingPackage } from '../calls/optional-package.ts';
import { missingPackages } from '../config/config-error.ts';
import { type Config, ConfigError } from '../config.ts';
import { systemClock } from '../crypto/clock.ts';
import { makeBlocklist } from '../hashing/blocklist.ts';
import { startHashChild } from '../hashing/hash-child.ts';
import { type HashPool, type HashPoolOptions, makeHashPool } from '../hashing/hash-pool.ts';
import { startHashThread } from '../hashing/hash-thread.ts';
import { openAwsKms } from '../kms/aws.ts';
import { openLocalKms } from '../kms/local.ts';
import { openVaultKms } from '../kms/vault.ts';
import { makeFileMailer } from '../mail-files/mailer.ts';
import { openRedisFileCache } from '../redis/file-cache.ts';
import { openRedisLimiter } from '../redis/limiter.ts';
import { requireRedisUrl } from '../redis/redis-url.ts';
import { makeSendGridMailer } from '../sendgrid/mailer.ts';
import { makeSmtpMailer } from '../smtp/mailer.ts';
import { openSqliteFileCache } from '../sqlite/cache/file-cache.ts';
import { makeLimiter } from '../sqlite/limits/limiter.ts';
import { makeMemoryLimiter } from '../sqlite/limits/memory-limiter.ts';

// Which adapter a setting chooses, where there is a choice.

/** The chosen KMS. Only Vault's keys are ours to rotate through it. */
export interface OpenedKms extends Kms {
  /** False while it is down, as far as this process has tried; asking costs nothing. */
  isUp(): boolean;
  rotate?(): Promise<string>;
  close(): void;
}

const NO_REGION = 'AWS_REGION must be set with KMS=aws, where AWS_KMS_KEY_ID is no ARN';

export const openKms = async ({ kms }: Config, log: Log): Promise<OpenedKms> => {
  switch (kms.kind) {
    case 'local':
      return { ...(await openLocalKms({ file: kms.keys.path, log })), isUp: () => true };
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

/** A list of one's own is read now, so that a wrong one stops the start; the built-in one when it is first asked. */
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
  log: Log,
  hashed: HashPoolOptions['hashed'],
): HashPool =>
  makeHashPool({
    cost: scrypt,
    start: hasher === 'native' ? startHashChild : startHashThread,
    workers: hashWorkers,
    queue: hashQueue,
    log,
    hashed,
  });

type Opened = <T extends { close(): Promise<void> | void }>(resource: T) => T;

export const openMailer = ({ mail }: Config, clock: Clock, opened: Opened): Mailer => {
  switch (mail.provider) {
    case 'files':
      return makeFileMailer({ folder: mail.folder, from: mail.from, clock });
    case 'smtp':
      return opened(makeSmtpMailer({ url: mail.url, from: mail.from, plain: mail.plain }));
    case 'sendgrid':
      return makeSendGridMailer({ apiKey: mail.apiKey, baseUrl: mail.url, from: mail.from });
  }
};

export interface OpenedFileCache extends FileCache {
  /** Whether it works just now. */
  isUp(): Promise<boolean>;
  /** Calls the listener each time that it works again, before anybody is served by it. */
  onReturn(listener: () => void): void;
  close(): Promise<void>;
}

/** The cache of file records that the settings choose. One that is down fails no start. */
export const openFileCache = async (
  { dataDir, redisUrl }: Pick<Config, 'dataDir' | 'redisUrl'>,
  given: { readonly clock: Clock; readonly log: Log },
): Promise<OpenedFileCache> => {
  if (redisUrl === null) return openSqliteFileCache({ folder: dataDir, ...given });
  requireRedisUrl(redisUrl);
  const cache = openRedisFileCache({ url: redisUrl, log: given.log });
  await cache.tried;
  const refusal = cache.wrongSetting();
  if (refusal === undefined) return cache;
  await cache.close();
  throw new ConfigError([`REDIS_URL: Redis refuses the user, the password or the database (${refusal})`]);
};

export interface OpenedLimiter extends Limiter {
  /** Resolves when it counts over all processes, or has found that it cannot yet, in little more than a second. */
  readonly tried: Promise<void>;
  close(): Promise<void> | void;
}

/**
 * Counts over all processes: of a Redis where one is set, else of this machine. A clock that an embedding app brings is
 * counted by; without one it is Redis's own, or this machine's. Throws `ConfigError`.
 */
export const openLimiter = (
  { dataDir, redisUrl }: Pick<Config, 'dataDir' | 'redisUrl'>,
  { clock, log }: { readonly clock: Clock | undefined; readonly log: Log },
): OpenedLimiter => {
  const ours = clock ?? systemClock;
  if (redisUrl === null) {
    return { ...makeLimiter({ folder: dataDir, clock: ours, log }), tried: Promise.resolve() };
  }
  requireRedisUrl(redisUrl);
  return openRedisLimiter({ url: redisUrl, log, clock, fallback: makeMemoryLimiter(ours) });
};
