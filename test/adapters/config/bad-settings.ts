import { ConfigError, readConfig } from '../../../adapters/config.ts';

/** The error lines of these settings; none if they are valid. */
export const problemsOf = (
  settings: Readonly<Record<string, string>>,
  folder: string | null = null,
): readonly string[] => {
  try {
    readConfig(settings, folder);
  } catch (error) {
    if (error instanceof ConfigError) return error.lines;
    throw error;
  }
  return [];
};

/** The minimal settings in production, without the key files, which the suite creates. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://accounts.example.com',
  INTERNAL_SECRET: 'k3J8vQz1mN5xT7rB2wY9cF4hD6gL0pSa',
  HASH_KEY: 'Zp0aQ9wL8sK7xE6jD5cR4fV3tG2bY1hN',
  SENDGRID_API_KEY: 'SG.x7',
  MAIL_FROM: 'ops@example.com',
  BILLING: 'none',
};

const LONG = 'q8W3e7R2t6Y1u5I0o9P4a8S3d7F2g6H1';

type Case = readonly [settings: Readonly<Record<string, string>>, line: RegExp];

/** Settings that are invalid in each environment, each with its only error line. */
export const BAD_ANYWHERE: readonly Case[] = [
  [{ NODE_ENV: 'prod' }, /^NODE_ENV must be development, test or production\.$/],
  [{ HOST: '300.1.2.3' }, /^HOST must be an IP address or a host name\.$/],
  [{ HOST: 'http://here' }, /^HOST must be/],
  [{ ACCOUNTS_PORT: '65536' }, /^ACCOUNTS_PORT must be a whole number from 0 to 65535\.$/],
  [{ ACCOUNTS_PORT: '30e2' }, /^ACCOUNTS_PORT must be a whole number/],
  [{ METADATA_PORT: '-1' }, /^METADATA_PORT must be a whole number/],
  [{ CONSOLE_PORT: 'on' }, /^CONSOLE_PORT must be off, or a port from 0 to 65535\.$/],
  [{ CONSOLE_URL: 'https://example.com/console' }, /^CONSOLE_URL must be an http or https origin/],
  [{ CONSOLE_IDLE_MINUTES: '0' }, /^CONSOLE_IDLE_MINUTES must be a whole number from 1 to 1440\.$/],
  [{ CONSOLE_HOURS: '169' }, /^CONSOLE_HOURS must be a whole number from 1 to 168\.$/],
  [{ ADMIN_ROUTES: 'accounts' }, /^ADMIN_ROUTES must be both or console\.$/],
  [{ PUBLIC_URL: 'drop.example.org' }, /^PUBLIC_URL must be an http or https origin/],
  [{ PUBLIC_URL: 'https://example.com/accounts' }, /^PUBLIC_URL must be an http or https origin/],
  [{ PUBLIC_URL: 'https://me:word@example.com' }, /^PUBLIC_URL must be an http or https origin/],
  [{ MONGODB_URL: 'postgres://pw7@db' }, /^MONGODB_URL must be an address that begins with mongodb:/],
  [{ POSTGRES_URL: 'mysql://pw7@db' }, /^POSTGRES_URL must be an address that begins with postgres:/],
  [
    { POSTGRES_URL: 'postgres://pw7@db', MONGODB_URL: 'mongodb://pw7@db' },
    /^POSTGRES_URL must not be set beside MONGODB_URL\.$/,
  ],
  [
    { REDIS_URL: 'pw7.example.com:6379' },
    /^REDIS_URL must be an address that begins with redis:\/\/, .* or rediss\+sentinel:\/\/\.$/,
  ],
  [{ SMTP_URL: 'smtp:', MAIL_FROM: 'a@b.c' }, /^SMTP_URL must be an address that begins with smtp:/],
  [{ SMTP_URL: 'smtp://mail.example' }, /^MAIL_FROM must be set beside/],
  [
    { SMTP_URL: 'smtp://m1.example', SENDGRID_API_KEY: 'SG.y', MAIL_FROM: 'a@b.c' },
    /^SMTP_URL must not be set together with SENDGRID_API_KEY\.$/,
  ],
  [{ SMTP_PLAIN: 'yes' }, /^SMTP_PLAIN must be allow\.$/],
  [{ MAIL_FROM: 'nobody at all' }, /^MAIL_FROM must be an email address/],
  [{ MAIL_FROM: 'A <a@b.c>\nBcc: d@e.f' }, /^MAIL_FROM must be an email address/],
  [{ INTERNAL_SECRET: '' }, /^INTERNAL_SECRET must be one or two secrets/],
  [{ INTERNAL_SECRET: LONG.slice(1) }, /^INTERNAL_SECRET must be .*at least 32 random bytes/],
  [{ INTERNAL_SECRET: 'a'.repeat(64) }, /^INTERNAL_SECRET must be .*not a sample or a pattern/],
  [{ INTERNAL_SECRET: '0123456789abcdef'.repeat(4) }, /^INTERNAL_SECRET must be/],
  [{ INTERNAL_SECRET: 'change-me-change-me-change-me-now-please' }, /^INTERNAL_SECRET must be/],
  [{ INTERNAL_SECRET: `${LONG},${LONG}x,${LONG}y` }, /^INTERNAL_SECRET must be/],
  [{ INTERNAL_SECRET: `${LONG},` }, /^INTERNAL_SECRET must be/],
  [{ INTERNAL_SECRET: `${LONG} with blanks` }, /^INTERNAL_SECRET must be/],
  [{ INTERNAL_SECRET: LONG, METADATA_SECRET: LONG }, /^METADATA_SECRET must differ from INTERNAL_SECRET\.$/],
  [{ METADATA_SECRET: 'short7' }, /^METADATA_SECRET must be/],
  [{ HASH_KEY: 'short7' }, /^HASH_KEY must be/],
  [{ INTERNAL_SECRET_FILE: '/no/such/place' }, /^INTERNAL_SECRET_FILE must be the path of a file/],
  [{ SIGNING_KEYS_FILE: '/no/such/place' }, /^SIGNING_KEYS_FILE must be the path of a file/],
  [{ MASTER_KEYS_FILE: '/' }, /^MASTER_KEYS_FILE must be the path of a file/],
  [{ PRODUCT_NAME: 'Drop: <b>' }, /^PRODUCT_NAME must be 1 to 64 characters/],
  [{ BRAND_COLOUR: 'red' }, /^BRAND_COLOUR must be a colour of six hexadecimal digits/],
  [{ SUPPORT_URL: 'javascript:alert(1)' }, /^SUPPORT_URL must be an http or https address/],
  [{ TERMS_URL: '/terms' }, /^TERMS_URL must be an http or https address/],
  [{ PRIVACY_URL: 'https://me:pw7@example.com' }, /^PRIVACY_URL must be an http or https address/],
  [{ KMS: 'gcp' }, /^KMS must be local, aws or vault\.$/],
  [{ KMS: 'aws' }, /^AWS_KMS_KEY_ID must be set with KMS=aws\.$/],
  [
    { KMS: 'aws', AWS_KMS_KEY_ID: 'alias/x1', AWS_ACCESS_KEY_ID: 'AK7' },
    /^AWS_SECRET_ACCESS_KEY must be set beside/,
  ],
  [{ KMS: 'vault', VAULT_ADDR: 'https://v.example', VAULT_TOKEN: 'hvs.7' }, /^VAULT_TRANSIT_KEY must be set/],
  [{ KMS: 'aws', AWS_KMS_KEY_ID: 'a key of ours' }, /^AWS_KMS_KEY_ID must be a key id, key ARN or alias\.$/],
  [
    { KMS: 'vault', VAULT_ADDR: 'https://v.example', VAULT_TOKEN: 'hvs.7', VAULT_TRANSIT_KEY: '..' },
    /^VAULT_TRANSIT_KEY must be the name of a transit key\.$/,
  ],
  [
    { KMS: 'aws', AWS_KMS_KEY_ID: 'alias/x1', AWS_ENDPOINT_URL_KMS: 'kms.local' },
    /^AWS_ENDPOINT_URL_KMS must be/,
  ],
  [{ OBJECTS_URL: 'https://pictures.s3.amazonaws.com' }, /^OBJECTS_URL must be of the form s3:/],
  [{ OBJECTS_URL: 's3://AKID:word@pictures/a' }, /^OBJECTS_URL must be of the form s3:/],
  [{ OBJECTS_URL: 's3://pictures/../a' }, /^OBJECTS_URL must be of the form s3:/],
  [{ OBJECTS_URL: 's3://pictures', S3_ENDPOINT: 'minio:9000' }, /^S3_ENDPOINT must be/],
  [{ OBJECTS_URL: 's3://pictures', AWS_ACCESS_KEY_ID: 'AK7' }, /^AWS_SECRET_ACCESS_KEY must be set beside/],
  [{ BILLING: 'stripe' }, /^BILLING must be none, sandbox or polar\.$/],
  [{ WEBHOOK_SECRETS: '' }, /^WEBHOOK_SECRETS must be secrets separated by commas/],
  [{ WEBHOOK_SECRETS: 'whsec_c2hvcnQ4c2hvcnQ5' }, /^WEBHOOK_SECRETS must be .*at least 24 random bytes/],
  [
    {
      BILLING: 'polar',
      POLAR_ACCESS_TOKEN: 'polar_7',
      POLAR_PRODUCTS: '{"gold":{"monthly":"p1"}}',
      WEBHOOK_SECRETS: LONG,
    },
    /^POLAR_PRODUCTS must name tiers of TIERS alone\.$/,
  ],
  [{ POLAR_PRODUCTS: '{"pro":{"monthly":"p1","yearly":"p1"}}' }, /^POLAR_PRODUCTS must be JSON of the form/],
  [{ POLAR_PRODUCTS: '{"pro":{"weekly":"p1"}}' }, /^POLAR_PRODUCTS must be JSON of the form/],
  [
    { POLAR_URL: 'https://polar.example' },
    /^POLAR_URL must be an http or https address that ends in \/v1\.$/,
  ],
  [{ NBP_URL: 'https://nbp.example/api' }, /^NBP_URL must be an http or https origin/],
  [{ CHECKOUT_SUCCESS_URL: 'javascript:alert(7)' }, /^CHECKOUT_SUCCESS_URL must be an http or https address/],
  [
    { CHECKOUT_SUCCESS_URL: 'https://app.example/#' },
    /^CHECKOUT_SUCCESS_URL must be an http or https address/,
  ],
  [{ USD_PLN_FALLBACK: '0' }, /^USD_PLN_FALLBACK must be a positive decimal number/],
  [{ USD_PLN_FALLBACK: '4,20' }, /^USD_PLN_FALLBACK must be/],
  [{ TIERS: 'pro,pro,free' }, /^TIERS must be different names/],
  [{ TIERS: 'basic,pro' }, /^TIERS must be .*free among them/],
  [{ SELF_ENTITLEMENT: 'always' }, /^SELF_ENTITLEMENT must be trust, ignore or reject\.$/],
  [{ SELF_ENTITLEMENT: 'trust', HOST: '0.0.0.0' }, /^SELF_ENTITLEMENT must be ignore or reject/],
  [{ META_AUTH: 'none', HOST: '192.0.2.7' }, /^META_AUTH must be secret/],
  [{ PASSWORD_BLOCKLIST: '/no/such/place' }, /^PASSWORD_BLOCKLIST must be builtin, off or the path/],
  [{ TRUSTED_PROXIES: '10.0.0.0/33' }, /^TRUSTED_PROXIES must be IP addresses and CIDRs/],
  [{ TRUSTED_PROXIES: 'proxy.example' }, /^TRUSTED_PROXIES must be/],
  [{ CORS_ORIGINS: '*' }, /^CORS_ORIGINS must be exact origins/],
  [{ CORS_ORIGINS: 'https://app.example.com/' }, /^CORS_ORIGINS must be exact origins/],
  [{ CORS_ORIGINS: 'https://APP.example.com' }, /^CORS_ORIGINS must be exact origins/],
  [{ CORS_ORIGINS: 'capacitor://*' }, /^CORS_ORIGINS must be exact origins/],
  [{ CORS_ORIGINS: 'null' }, /^CORS_ORIGINS must be exact origins/],
  [{ CORS_ORIGINS: 'file://' }, /^CORS_ORIGINS must be exact origins/],
  [{ CORS_ORIGINS: 'file://localhost' }, /^CORS_ORIGINS must be exact origins/],
  [{ CORS_ORIGINS: 'ftp://files.example.com' }, /^CORS_ORIGINS must be exact origins/],
  [{ RATE_LIMIT_LOGIN: '0' }, /^RATE_LIMIT_LOGIN must be a whole number from 1/],
  [{ MAX_OPEN_HEADS: '0' }, /^MAX_OPEN_HEADS must be a whole number from 1/],
  [{ SYNC_LIMIT_BYTES: '450MB' }, /^SYNC_LIMIT_BYTES must be a whole number/],
  [{ SCRYPT: 'ln=15,p=3' }, /^SCRYPT must be of the form/],
  [{ SCRYPT: 'ln=19,r=8,p=1' }, /^SCRYPT must be of the form .*256 MiB/],
  [{ HASH_WORKERS: '0' }, /^HASH_WORKERS must be a whole number from 1/],
  [{ REFRESH_TOKEN_DAYS: '1.5' }, /^REFRESH_TOKEN_DAYS must be a whole number/],
  [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be trace, debug/],
];

/** Settings that production refuses in addition, each beside otherwise valid settings. */
export const BAD_IN_PRODUCTION: readonly Case[] = [
  [{ INTERNAL_SECRET: '' }, /^INTERNAL_SECRET must be/],
  [{ PUBLIC_URL: '' }, /^PUBLIC_URL must be an https origin in production\.$/],
  [{ PUBLIC_URL: 'http://accounts.example.com' }, /^PUBLIC_URL must be an https origin in production\.$/],
  [
    { CONSOLE_PORT: '3002', CONSOLE_URL: 'http://console.example.com' },
    /^CONSOLE_URL must be an https origin/,
  ],
  [{ CONSOLE_URL: 'http://console.example.com' }, /^CONSOLE_URL must be an https origin in production/],
  [{ CONSOLE_PORT: '3002', CONSOLE_HOST: '0.0.0.0' }, /^CONSOLE_URL must be an https origin in production/],
  [{ SIGNING_KEYS_FILE: '' }, /^SIGNING_KEYS_FILE must be set in production\.$/],
  [{ MASTER_KEYS_FILE: '' }, /^MASTER_KEYS_FILE must be set in production\.$/],
  [{ SENDGRID_API_KEY: '' }, /^SENDGRID_API_KEY must be set in production, or else SMTP_URL\.$/],
  [{ SMTP_PLAIN: 'allow' }, /^SMTP_PLAIN must not be set in production\.$/],
  [{ MAIL_FROM: '' }, /^MAIL_FROM must be set beside/],
  [{ BILLING: '' }, /^BILLING must be none or polar in production\.$/],
  [{ BILLING: 'sandbox' }, /^BILLING must be none or polar in production\.$/],
  [{ SELF_ENTITLEMENT: 'trust' }, /^SELF_ENTITLEMENT must be ignore or reject in production/],
  [{ META_AUTH: 'none' }, /^META_AUTH must be secret in production/],
  [{ MONGODB_URL: 'mongodb://db7.example' }, /^REDIS_URL must be set in production beside MONGODB_URL\.$/],
  [{ POSTGRES_URL: 'postgres://db7.example' }, /^REDIS_URL must be set in production beside POSTGRES_URL\.$/],
  [{ SCRYPT: 'ln=15,r=8,p=2' }, /^SCRYPT must be at least ln=15,r=8,p=3/],
  [{ SCRYPT: 'ln=17,r=4,p=4' }, /^SCRYPT must be at least/],
];
