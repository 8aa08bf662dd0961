import { availableParallelism } from 'node:os';
import * as read from './readers.ts';
import { strongSecrets } from './secrets.ts';

/** One setting: how its text is read, and what it must be, in words for people. */
export interface Setting<T> {
  /** Undefined for text that it does not take. */
  readonly read: (text: string) => T | undefined;
  readonly must: string;
  /** Written as in the environment. */
  readonly default?: string;
  /** May come as `NAME_FILE`, and is never shown. */
  readonly secret?: true;
  /** Set to nothing it is wrong, where other settings count as not set. */
  readonly neverEmpty?: true;
}

type Settled<T> = Setting<T> & { readonly default: string };

const reads = <T>(must: string, reader: (text: string) => T | undefined): Setting<T> => ({
  must,
  read: reader,
});

const withDefault = <T>(value: string, setting: Setting<T>): Settled<T> => ({ ...setting, default: value });

const text = (must: string, form = /^\P{Cc}+$/u) =>
  reads(must, (given) => (form.test(given) ? given : undefined));

const oneOf = <const T extends string>(...words: readonly T[]) =>
  reads(`${words.slice(0, -1).join(', ')} or ${words.at(-1)}`, (given) =>
    words.find((word) => word === given),
  );

const whole = (value: number, least: number, most: number) =>
  withDefault(String(value), reads(`a whole number from ${least} to ${most}`, read.wholeNumber(least, most)));

const secret = <T>(setting: Setting<T>) => ({ ...setting, secret: true }) as const;

const strong = (most: 1 | 2 | 10, bytes: number) => {
  const count = most === 10 ? 'secrets separated by commas' : 'one or two secrets separated by a comma';
  const must = `${count}, each at least ${bytes} random bytes of printable ASCII without spaces, not a sample or a pattern`;
  return { ...secret(reads(must, strongSecrets(most, bytes))), neverEmpty: true } as const;
};

const token = (must: string) => secret(text(must, /^[\x21-\x7e]+$/u));
const webAddress = reads('an http or https address without credentials or fragment', read.webAddress);
const baseAddress = reads(
  'an http or https address without credentials, query or fragment',
  read.baseAddress,
);
const origin = (example: string) => reads(`an http or https origin such as ${example}`, read.origin);
const calls = (count: number) => whole(count, 1, 1_000_000_000);
const file = text('the path of a file that can be read');

/** Every setting there is, by its name in the environment. */
export const settings = {
  NODE_ENV: withDefault('development', oneOf('development', 'test', 'production')),
  HOST: withDefault('127.0.0.1', reads('an IP address or a host name', read.host)),
  ACCOUNTS_PORT: whole(3000, 0, 65_535),
  METADATA_PORT: whole(3001, 0, 65_535),
  PUBLIC_URL: origin('https://accounts.example.com'),
  DATA_DIR: withDefault('./data', text('the path of a folder')),
  MONGODB_URL: secret(
    reads(
      'an address that begins with mongodb:// or mongodb+srv://',
      read.serverAddress('mongodb', 'mongodb+srv'),
    ),
  ),
  REDIS_URL: secret(
    reads('an address that begins with redis:// or rediss://', read.serverAddress('redis', 'rediss')),
  ),
  SENDGRID_API_KEY: token('a key of printable ASCII'),
  SMTP_URL: secret(
    reads('an address that begins with smtp:// or smtps://', read.serverAddress('smtp', 'smtps')),
  ),
  SMTP_PLAIN: text('allow', /^allow$/),
  MAIL_FROM: reads('an email address, alone or as Name <address>', read.mailbox),
  INTERNAL_SECRET: strong(2, 32),
  METADATA_SECRET: strong(2, 32),
  SIGNING_KEYS_FILE: file,
  MASTER_KEYS_FILE: file,
  HASH_KEY: strong(2, 32),
  TOKEN_AUDIENCE: withDefault('gatehouse', text('1 to 256 characters', /^\P{Cc}{1,256}$/u)),
  PRODUCT_NAME: withDefault(
    'Gatehouse',
    text('1 to 64 characters, none of them a colon, quote or angle bracket', /^[^\p{Cc}:"<>]{1,64}$/u),
  ),
  KMS: withDefault('local', oneOf('local', 'aws', 'vault')),
  AWS_KMS_KEY_ID: text('a key id, key ARN or alias', /^[A-Za-z0-9:/_-]{1,2048}$/),
  AWS_REGION: text('a region such as eu-central-1', /^[a-z0-9-]+$/u),
  AWS_DEFAULT_REGION: text('a region such as eu-central-1', /^[a-z0-9-]+$/u),
  AWS_ENDPOINT_URL: baseAddress,
  AWS_ENDPOINT_URL_KMS: baseAddress,
  AWS_ACCESS_KEY_ID: token('printable ASCII'),
  AWS_SECRET_ACCESS_KEY: token('printable ASCII'),
  AWS_SESSION_TOKEN: token('printable ASCII'),
  VAULT_ADDR: baseAddress,
  VAULT_TOKEN: token('a token of printable ASCII'),
  VAULT_TRANSIT_KEY: text('the name of a transit key', /^\w(?:[\w.-]{0,254}\w)?$/),
  BILLING: withDefault('sandbox', oneOf('none', 'sandbox', 'polar')),
  POLAR_ACCESS_TOKEN: token('a token of printable ASCII'),
  POLAR_SERVER: withDefault('production', oneOf('production', 'sandbox')),
  POLAR_URL: reads('an http or https address that ends in /v1', (given) => {
    const base = read.baseAddress(given);
    return base?.endsWith('/v1') ? base : undefined;
  }),
  POLAR_PRODUCTS: reads(
    'JSON of the form {"pro":{"monthly":"id","yearly":"id"}} with each id once and tiers of TIERS',
    read.products,
  ),
  WEBHOOK_SECRETS: strong(10, 24),
  NBP_URL: withDefault('https://api.nbp.pl', origin('https://api.nbp.pl')),
  SENDGRID_URL: withDefault('https://api.sendgrid.com', baseAddress),
  CHECKOUT_SUCCESS_URL: webAddress,
  BILLING_RETURN_URL: webAddress,
  USD_PLN_FALLBACK: withDefault('4.00', reads('a positive decimal number of at most 1000', read.rate)),
  TIERS: withDefault(
    'free,pro-lite,pro,enterprise',
    reads(
      'different names separated by commas, free among them, of small letters, digits and dashes',
      read.tiers,
    ),
  ),
  SELF_ENTITLEMENT: oneOf('trust', 'ignore', 'reject'),
  META_AUTH: oneOf('none', 'secret'),
  PASSWORD_BLOCKLIST: withDefault('builtin', text('builtin, off or the path of a file that can be read')),
  TRUSTED_PROXIES: reads('IP addresses and CIDRs separated by commas', read.networks),
  MAX_OPEN_HEADS: whole(256, 1, 1_000_000),
  CORS_ORIGINS: reads('exact origins such as https://app.example.com separated by commas', read.origins),
  RATE_LIMIT_REGISTER: calls(10),
  RATE_LIMIT_VERIFY: calls(5),
  RATE_LIMIT_RESEND: calls(3),
  RATE_LIMIT_LOGIN: calls(30),
  RATE_LIMIT_HEALTH: calls(50),
  RATE_LIMIT_DEFAULT: calls(300),
  SYNC_LIMIT_BYTES: whole(471_859_200, 1, Number.MAX_SAFE_INTEGER),
  SCRYPT: withDefault(
    'ln=15,r=8,p=3',
    reads(
      'of the form ln=15,r=8,p=3, with at most 256 MiB (128 * 2^ln * r bytes) and p at most 16',
      read.scrypt,
    ),
  ),
  HASH_WORKERS: whole(availableParallelism(), 1, 1024),
  HASH_QUEUE: whole(16, 1, 100_000),
  ACCESS_TOKEN_SECONDS: whole(900, 1, 86_400),
  REFRESH_TOKEN_DAYS: whole(30, 1, 3650),
  SESSION_MAX_DAYS: whole(180, 1, 3650),
  REFRESH_GRACE_SECONDS: whole(0, 0, 3600),
  REAUTH_SECONDS: whole(600, 60, 3600),
  OPERATORS_NEED_2FA: oneOf('on', 'off'),
  WORKERS: whole(1, 1, 1024),
  METRICS_PORT: reads('a whole number from 0 to 65535', read.wholeNumber(0, 65_535)),
  METRICS_HOST: withDefault('127.0.0.1', reads('an IP address or a host name', read.host)),
  OTEL_TRACES_EXPORTER: oneOf('otlp', 'none'),
  OTEL_EXPORTER_OTLP_ENDPOINT: baseAddress,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: webAddress,
  OTEL_EXPORTER_OTLP_HEADERS: secret(
    reads('of the form name=value,name=value, with values percent-encoded', read.headerList),
  ),
  OTEL_SERVICE_NAME: withDefault('gatehouse', text('1 to 256 characters', /^\P{Cc}{1,256}$/u)),
  LOG_LEVEL: withDefault('info', oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent')),
} as const;

export type SettingName = keyof typeof settings;

type ValueOf<S> = S extends Settled<infer T> ? T : S extends Setting<infer T> ? T | undefined : never;

/** The checked values by name; undefined where a setting has no value and no default of its own. */
export type Values = { readonly [N in SettingName]: ValueOf<(typeof settings)[N]> };
