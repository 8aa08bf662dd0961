import { accessSync, constants, statSync } from 'node:fs';
import { isIPv4, isIPv6 } from 'node:net';
import { join, resolve } from 'node:path';
import { assembleBilling, assembleKms, assembleTracing } from './assemble-providers.ts';
import type { Complaints } from './complaints.ts';
import { isStrongScrypt } from './readers.ts';
import type { Values } from './settings.ts';
import type { Config, KeysFile, MailConfig, Secrets } from './types.ts';

/** Whether a server there can be reached from its own machine alone. */
const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));

const isReadableFile = (path: string): boolean => {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
};

const ownOrigin = (host: string, port: number): string | null =>
  port === 0 ? null : new URL(`http://${isIPv6(host) ? `[${host}]` : host}:${port}`).origin;

/** Fills in what depends on other settings, and complains of what does not go together or not with production. */
export const assemble = (
  values: Values,
  cwd: string,
  complaints: Complaints,
): Omit<Config, 'givenSecrets' | 'warnings'> => {
  const production = values.NODE_ENV === 'production';
  const loopback = isLoopback(values.HOST);
  const isForTrying = !production && loopback;
  const dataDir = resolve(cwd, values.DATA_DIR);

  const requireInProduction = (name: Parameters<Complaints['add']>[0], value: unknown) => {
    if (production && value === undefined) complaints.add(name, 'be set in production');
  };
  const secrets = (name: 'INTERNAL_SECRET' | 'HASH_KEY', file: string): Secrets => {
    const given = values[name];
    requireInProduction(name, given);
    return given === undefined ? { madeIn: join(dataDir, file) } : { given };
  };
  const keysFile = (name: 'SIGNING_KEYS_FILE' | 'MASTER_KEYS_FILE', file: string): KeysFile => {
    const given = values[name];
    requireInProduction(name, given);
    if (given === undefined) return { path: join(dataDir, 'keys', file), made: true };
    const path = resolve(cwd, given);
    if (!isReadableFile(path)) complaints.add(name, 'be the path of a file that can be read');
    return { path, made: false };
  };

  const mail = (): MailConfig => {
    const { SENDGRID_API_KEY: apiKey, SMTP_URL: url } = values;
    const plain = values.SMTP_PLAIN !== undefined;
    if (production && plain) complaints.add('SMTP_PLAIN', 'not be set in production');
    const hasProvider = apiKey !== undefined || url !== undefined;
    if (apiKey !== undefined && url !== undefined)
      complaints.add('SMTP_URL', 'not be set together with SENDGRID_API_KEY');
    if (production && !hasProvider)
      complaints.add('SENDGRID_API_KEY', 'be set in production, or else SMTP_URL');
    if (!hasProvider) {
      requireInProduction('MAIL_FROM', values.MAIL_FROM);
      const from = values.MAIL_FROM ?? `${values.PRODUCT_NAME} <no-reply@localhost>`;
      return { provider: 'files', folder: join(dataDir, 'mail'), from };
    }
    const from = complaints.need('MAIL_FROM', values.MAIL_FROM, 'beside SENDGRID_API_KEY or SMTP_URL');
    if (url !== undefined) return { provider: 'smtp', url, from, plain };
    return { provider: 'sendgrid', apiKey: apiKey ?? '', url: values.SENDGRID_URL, from };
  };

  const publicUrl = values.PUBLIC_URL ?? ownOrigin(values.HOST, values.ACCOUNTS_PORT);
  if (production && !publicUrl?.startsWith('https:'))
    complaints.add('PUBLIC_URL', 'be an https origin in production');
  if (production && values.MONGODB_URL !== undefined && values.REDIS_URL === undefined) {
    complaints.add('REDIS_URL', 'be set in production beside MONGODB_URL');
  }
  if (production && !isStrongScrypt(values.SCRYPT)) {
    complaints.add('SCRYPT', 'be at least ln=15,r=8,p=3 or ln=16,r=8,p=2 or ln=17,r=8,p=1 in production');
  }
  if (!isForTrying && values.SELF_ENTITLEMENT === 'trust') {
    complaints.add(
      'SELF_ENTITLEMENT',
      'be ignore or reject in production and where HOST is not a loopback address',
    );
  }
  if (!isForTrying && values.META_AUTH === 'none') {
    complaints.add('META_AUTH', 'be secret in production and where HOST is not a loopback address');
  }
  if (values.METADATA_SECRET?.some((secret) => values.INTERNAL_SECRET?.includes(secret))) {
    complaints.add('METADATA_SECRET', 'differ from INTERNAL_SECRET');
  }
  const blocklist = values.PASSWORD_BLOCKLIST;
  const isNamed = blocklist === 'builtin' || blocklist === 'off';
  if (!isNamed && !isReadableFile(resolve(cwd, blocklist))) {
    complaints.add('PASSWORD_BLOCKLIST', 'be builtin, off or the path of a file that can be read');
  }
  const trusting = isForTrying && values.MONGODB_URL === undefined;

  return {
    production,
    host: values.HOST,
    loopback,
    accountsPort: values.ACCOUNTS_PORT,
    metadataPort: values.METADATA_PORT,
    publicUrl,
    issuerFile: values.PUBLIC_URL === undefined ? join(dataDir, 'issuer') : null,
    dataDir,
    mongodbUrl: values.MONGODB_URL ?? null,
    redisUrl: values.REDIS_URL ?? null,
    mail: mail(),
    internalSecrets: secrets('INTERNAL_SECRET', 'internal-secret'),
    metadataSecrets: values.METADATA_SECRET ?? null,
    hashKeys: secrets('HASH_KEY', join('keys', 'hash-key')),
    signingKeys: keysFile('SIGNING_KEYS_FILE', 'signing.json'),
    tokenAudience: values.TOKEN_AUDIENCE,
    productName: values.PRODUCT_NAME,
    kms: assembleKms(values, complaints, () => keysFile('MASTER_KEYS_FILE', 'master.json')),
    billing: assembleBilling(values, complaints, join(dataDir, 'keys', 'webhook-secret')),
    checkoutSuccessUrl: values.CHECKOUT_SUCCESS_URL ?? null,
    billingReturnUrl: values.BILLING_RETURN_URL ?? null,
    nbpUrl: values.NBP_URL,
    usdPlnFallback: values.USD_PLN_FALLBACK,
    tiers: values.TIERS,
    selfEntitlement: values.SELF_ENTITLEMENT ?? (trusting ? 'trust' : 'ignore'),
    metaAuth: values.META_AUTH ?? (isForTrying ? 'none' : 'secret'),
    passwordBlocklist: isNamed ? blocklist : resolve(cwd, blocklist),
    trustedProxies: values.TRUSTED_PROXIES ?? [],
    maxOpenHeads: values.MAX_OPEN_HEADS,
    corsOrigins: values.CORS_ORIGINS ?? [],
    rateLimits: {
      register: values.RATE_LIMIT_REGISTER,
      verify: values.RATE_LIMIT_VERIFY,
      resend: values.RATE_LIMIT_RESEND,
      login: values.RATE_LIMIT_LOGIN,
      health: values.RATE_LIMIT_HEALTH,
      default: values.RATE_LIMIT_DEFAULT,
    },
    syncLimitBytes: values.SYNC_LIMIT_BYTES,
    scrypt: values.SCRYPT,
    hashWorkers: values.HASH_WORKERS,
    hashQueue: values.HASH_QUEUE,
    accessTokenSeconds: values.ACCESS_TOKEN_SECONDS,
    refreshTokenDays: values.REFRESH_TOKEN_DAYS,
    sessionMaxDays: values.SESSION_MAX_DAYS,
    refreshGraceSeconds: values.REFRESH_GRACE_SECONDS,
    reauthSeconds: values.REAUTH_SECONDS,
    operatorsNeed2fa: (values.OPERATORS_NEED_2FA ?? (production ? 'on' : 'off')) === 'on',
    workers: values.WORKERS,
    logLevel: values.LOG_LEVEL,
    metrics:
      values.METRICS_PORT === undefined ? null : { host: values.METRICS_HOST, port: values.METRICS_PORT },
    tracing: assembleTracing(values),
  };
};
