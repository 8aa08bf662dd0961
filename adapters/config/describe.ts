import type { SettingName } from './settings.ts';
import type { Config, KeysFile, Secrets } from './types.ts';

const HIDDEN = 'set, not shown';
const UNSET = 'not set';

const hidden = (value: string | readonly string[] | null | undefined) => (value ? HIDDEN : UNSET);
const secrets = (value: Secrets) => ('given' in value ? HIDDEN : `made in ${value.madeIn}`);
const keysFile = ({ path, made }: KeysFile) => (made ? `${path} (made at first start)` : path);
const list = (values: readonly string[]) => (values.length === 0 ? 'none' : values.join(','));

type Rows = Partial<Record<SettingName, string | number>>;

const ofMail = ({ mail }: Config): Rows => ({
  SENDGRID_API_KEY: hidden(mail.provider === 'sendgrid' ? mail.apiKey : null),
  SMTP_URL: hidden(mail.provider === 'smtp' ? mail.url : null),
  ...(mail.provider === 'smtp' && { SMTP_PLAIN: mail.plain ? 'allow' : UNSET }),
  MAIL_FROM: mail.from,
  ...(mail.provider === 'sendgrid' && { SENDGRID_URL: mail.url }),
});

const ofKms = ({ kms }: Config): Rows => {
  if (kms.kind === 'local') return { KMS: kms.kind, MASTER_KEYS_FILE: keysFile(kms.keys) };
  if (kms.kind === 'vault') {
    return { KMS: kms.kind, VAULT_ADDR: kms.address, VAULT_TOKEN: HIDDEN, VAULT_TRANSIT_KEY: kms.transitKey };
  }
  return {
    KMS: kms.kind,
    AWS_KMS_KEY_ID: kms.keyId,
    AWS_REGION: kms.region ?? UNSET,
    AWS_ENDPOINT_URL: kms.endpoint ?? UNSET,
    AWS_ACCESS_KEY_ID: hidden(kms.credentials?.accessKeyId),
    AWS_SECRET_ACCESS_KEY: hidden(kms.credentials?.secretAccessKey),
    AWS_SESSION_TOKEN: hidden(kms.credentials?.sessionToken),
  };
};

const ofBilling = ({ billing }: Config): Rows => {
  if (billing.provider === 'none') return { BILLING: billing.provider };
  if (billing.provider === 'sandbox') {
    return { BILLING: billing.provider, WEBHOOK_SECRETS: secrets(billing.webhookSecrets) };
  }
  return {
    BILLING: billing.provider,
    POLAR_ACCESS_TOKEN: HIDDEN,
    POLAR_URL: billing.url,
    POLAR_PRODUCTS: JSON.stringify(billing.products),
    WEBHOOK_SECRETS: HIDDEN,
  };
};

const ofTracing = ({ tracing }: Config): Rows =>
  tracing === null
    ? { OTEL_TRACES_EXPORTER: 'none' }
    : {
        OTEL_TRACES_EXPORTER: 'otlp',
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: tracing.url,
        OTEL_EXPORTER_OTLP_HEADERS: hidden(Object.keys(tracing.headers)[0]),
        OTEL_SERVICE_NAME: tracing.serviceName,
      };

/** The settings by name as they will be used, defaults filled in and secrets hidden. */
export const describeConfig = (config: Config): Readonly<Rows> => ({
  NODE_ENV: config.production ? 'production' : 'development',
  HOST: config.host,
  ACCOUNTS_PORT: config.accountsPort,
  METADATA_PORT: config.metadataPort,
  PUBLIC_URL: config.publicUrl ?? 'where the accounts server listens',
  DATA_DIR: config.dataDir,
  MONGODB_URL: hidden(config.mongodbUrl),
  REDIS_URL: hidden(config.redisUrl),
  ...ofMail(config),
  INTERNAL_SECRET: secrets(config.internalSecrets),
  METADATA_SECRET: config.metadataSecrets === null ? 'as INTERNAL_SECRET' : HIDDEN,
  SIGNING_KEYS_FILE: keysFile(config.signingKeys),
  HASH_KEY: secrets(config.hashKeys),
  TOKEN_AUDIENCE: config.tokenAudience,
  PRODUCT_NAME: config.productName,
  ...ofKms(config),
  ...ofBilling(config),
  NBP_URL: config.nbpUrl,
  CHECKOUT_SUCCESS_URL: config.checkoutSuccessUrl ?? 'a page of ours',
  BILLING_RETURN_URL: config.billingReturnUrl ?? 'a page of ours',
  USD_PLN_FALLBACK: config.usdPlnFallback,
  TIERS: list(config.tiers),
  SELF_ENTITLEMENT: config.selfEntitlement,
  META_AUTH: config.metaAuth,
  PASSWORD_BLOCKLIST: config.passwordBlocklist,
  TRUSTED_PROXIES: list(config.trustedProxies),
  MAX_OPEN_HEADS: config.maxOpenHeads,
  CORS_ORIGINS: list(config.corsOrigins),
  RATE_LIMIT_REGISTER: config.rateLimits.register,
  RATE_LIMIT_VERIFY: config.rateLimits.verify,
  RATE_LIMIT_RESEND: config.rateLimits.resend,
  RATE_LIMIT_LOGIN: config.rateLimits.login,
  RATE_LIMIT_HEALTH: config.rateLimits.health,
  RATE_LIMIT_DEFAULT: config.rateLimits.default,
  SYNC_LIMIT_BYTES: config.syncLimitBytes,
  SCRYPT: `ln=${config.scrypt.ln},r=${config.scrypt.r},p=${config.scrypt.p}`,
  HASH_WORKERS: config.hashWorkers,
  HASH_QUEUE: config.hashQueue,
  ACCESS_TOKEN_SECONDS: config.accessTokenSeconds,
  REFRESH_TOKEN_DAYS: config.refreshTokenDays,
  SESSION_MAX_DAYS: config.sessionMaxDays,
  REFRESH_GRACE_SECONDS: config.refreshGraceSeconds,
  REAUTH_SECONDS: config.reauthSeconds,
  OPERATORS_NEED_2FA: config.operatorsNeed2fa ? 'on' : 'off',
  WORKERS: config.workers,
  LOG_LEVEL: config.logLevel,
  METRICS_PORT: config.metrics?.port ?? UNSET,
  ...(config.metrics !== null && { METRICS_HOST: config.metrics.host }),
  ...ofTracing(config),
});
