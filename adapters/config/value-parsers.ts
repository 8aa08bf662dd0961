import { isIP, isIPv4 } from 'node:net';
import { keyBytes, strongSecrets } from './strong-secrets.ts';

/** The provider's product ids by tier and billing cycle. */
export type Products = Readonly<Record<string, { readonly monthly?: string; readonly yearly?: string }>>;

/** scrypt: N = 2^ln, block size r, parallelisation p (RFC 7914). */
export interface ScryptConfig {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** An address that receives events, with its secrets: each signs every delivery. */
export interface WebhookTarget {
  readonly url: string;
  readonly secrets: readonly string[];
}

/** Whether only this machine reaches a server at this host. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || /^\[?::1\]?$/.test(host) || (isIPv4(host) && host.startsWith('127.'));

/** Whether browsers reach pages of this origin over https or on their own machine. No `publicUrl`: the origin is at `host`. */
export const isGuarded = (publicUrl: string | undefined, host: string): boolean => {
  if (publicUrl === undefined) return isLoopback(host);
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'https:' || isLoopback(hostname);
};

// Parsers of settings with a grammar of their own. Each returns undefined for text that it does not accept.

const MIB = 2 ** 20;

export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number | undefined =>
    /^\d{1,16}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined;

/** Złoty for a dollar. */
export const rate = (text: string): number | undefined =>
  /^\d{1,4}(?:\.\d{1,8})?$/.test(text) && Number(text) > 0 && Number(text) <= 1000 ? Number(text) : undefined;

export const splitList = (text: string, separator: string | RegExp = ','): readonly string[] =>
  text.split(separator).map((part) => part.trim());

/** The parts, if all are valid and different and there are not too many. */
export const different = (
  parts: readonly string[],
  most: number,
  isValid: (part: string) => boolean,
): readonly string[] | undefined =>
  parts.length <= most && new Set(parts).size === parts.length && parts.every(isValid) ? parts : undefined;

/** The parsed parts, if all are valid. */
const parseAll = <T>(
  parts: readonly string[],
  parse: (part: string) => T | undefined,
): readonly T[] | undefined => {
  const values = parts.map(parse);
  const valid = values.filter((value) => value !== undefined);
  return valid.length === values.length ? valid : undefined;
};

const toUrl = (text: string, protocols: readonly string[]): URL | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && protocols.includes(url.protocol) && url.hostname !== '' ? url : undefined;
};

const WEB = ['http:', 'https:'];

/** An http(s) address without credentials or fragment, unchanged. */
export const webAddress = (text: string): string | undefined => {
  const url = toUrl(text, WEB);
  return url?.username === '' && url.password === '' && !text.includes('#') ? text : undefined;
};

/** An http(s) address to which paths are appended: without query; slashes at the end are removed. */
export const baseAddress = (text: string): string | undefined =>
  webAddress(text) !== undefined && !text.includes('?') ? text.replace(/\/+$/, '') : undefined;

const MOST_TARGETS = 10;
const SIGNING_SECRET = /^whsec_(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** Bytes of a signing secret: Standard Webhooks 1.0.0 allows 24 to 64. */
const LEAST_BYTES = 24;
const MOST_BYTES = 64;

/** `url secret[,secret]`, separated by line breaks or semicolons; each address once. */
export const webhookTargets = (text: string): readonly WebhookTarget[] | undefined => {
  const lines = text.split(/[;\n]/).map((line) => line.trim());
  const targets = parseAll(
    lines.filter((line) => line !== ''),
    (line): WebhookTarget | undefined => {
      const [url = '', secrets = '', ...more] = line.split(/\s+/);
      const signingSecrets = strongSecrets({ most: 2, bytes: LEAST_BYTES })(secrets);
      const isValid = webAddress(url) !== undefined && more.length === 0;
      return isValid &&
        signingSecrets?.every((secret) => SIGNING_SECRET.test(secret) && keyBytes(secret) <= MOST_BYTES)
        ? { url, secrets: signingSecrets }
        : undefined;
    },
  );
  const urls = new Set(targets?.map(({ url }) => url));
  return targets !== undefined && targets.length <= MOST_TARGETS && urls.size === targets.length
    ? targets
    : undefined;
};

/** Only scheme, host and port. A slash at the end is removed. */
export const origin = (text: string): string | undefined => {
  const base = baseAddress(text);
  return base !== undefined && new URL(base).pathname === '/' ? new URL(base).origin : undefined;
};

const isExactOrigin = (text: string): boolean => origin(text) === text && !text.includes('*');

/** Exact origins: a pattern would be compared as text and match no page. */
export const origins = (text: string): readonly string[] | undefined =>
  parseAll(splitList(text), (part) => (isExactOrigin(part) ? part : undefined));

/** The origin of a page in an app or a browser extension. `URL` has no origin for such a scheme. */
const APP_ORIGIN = /^(?!(?:https?|wss?|ftp|file):)[a-z][a-z0-9+.-]*:\/\/[a-z0-9.-]+$/;

export const pageOrigins = (text: string): readonly string[] | undefined =>
  parseAll(splitList(text), (part) => (isExactOrigin(part) || APP_ORIGIN.test(part) ? part : undefined));

/** Names of services, as access tokens have them. */
export const audiences = (text: string): readonly string[] | undefined =>
  different(splitList(text), 20, (name) => /^[^\p{Cc}\s]{1,256}$/u.test(name));

/** The address of a server, with credentials. Only scheme and host are checked here; the driver parses the rest. */
export const serverAddress =
  (...schemes: readonly string[]) =>
  (text: string): string | undefined =>
    schemes.some((scheme) => text.startsWith(`${scheme}://`)) && /^[^:]+:\/\/[^\s/?#]+\S*$/.test(text)
      ? text
      : undefined;

/** A bucket of S3. Our keys in it begin with `prefix` and a slash; an empty prefix stands for the whole bucket. */
export interface Bucket {
  readonly bucket: string;
  readonly prefix: string;
}

// The bucket, then up to eight parts of a prefix, of which none is `.` or `..`.
const BUCKET_URL =
  /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/(?!\.{1,2}(?:\/|$))[\w.-]{1,64}){0,8})\/?$/;

/** `s3://bucket` or `s3://bucket/prefix`. */
export const bucket = (text: string): Bucket | undefined => {
  const [, name, path = ''] = BUCKET_URL.exec(text) ?? [];
  return name === undefined ? undefined : { bucket: name, prefix: path.slice(1) };
};

/** Returns an empty text if the percent-encoding is malformed. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
};

/** `name=value,name=value` with percent-encoded values: OpenTelemetry's format for headers (W3C Baggage). */
export const headerList = (text: string): Readonly<Record<string, string>> | undefined => {
  const pairs = parseAll(splitList(text), (part) => {
    const [, name, value = ''] = /^([!#$%&'*+.^_`|~\w-]+)\s*=\s*([\x21-\x7e]+)$/.exec(part) ?? [];
    const plain = decoded(value);
    return name !== undefined && /^[\x20-\x7e]+$/.test(plain) ? ([name, plain] as const) : undefined;
  });
  return pairs && Object.fromEntries(pairs);
};

/** An IP address or a host name. A name that ends in a number would be a mistyped address. */
export const host = (text: string): string | undefined =>
  isIP(text) !== 0 || /^(?!.*\.\d+$)[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(text)
    ? text
    : undefined;

const network = (text: string): string | undefined => {
  const [address = '', bits, more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || more !== undefined) return undefined;
  if (bits === undefined) return text;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128) ? text : undefined;
};

export const networks = (text: string): readonly string[] | undefined => parseAll(splitList(text), network);

/** `ops@example.com` or `Example <ops@example.com>`. */
export const mailbox = (text: string): string | undefined =>
  /^(?:[^<>@\p{Cc}]+ )?<[^\s<>@]+@[^\s<>@]+>$|^[^\s<>@]+@[^\s<>@]+$/u.test(text) ? text : undefined;

/** Names of tiers. `free` must be one of them: every account starts with it. */
export const tiers = (text: string): readonly string[] | undefined => {
  const names = different(splitList(text), Number.POSITIVE_INFINITY, (name) =>
    /^[a-z0-9][a-z0-9-]{0,31}$/.test(name),
  );
  return names?.includes('free') ? names : undefined;
};

/** `ln=15,r=8,p=3`: at most 256 MiB and p 16, within the bound of RFC 7914 section 2 (N < 2^(16 r)). */
export const scrypt = (text: string): ScryptConfig | undefined => {
  const match = /^ln=([1-9]\d?),r=([1-9]\d?),p=([1-9]\d?)$/.exec(text);
  if (match === null) return undefined;
  const [ln = 0, r = 0, p = 0] = match.slice(1).map(Number);
  return ln < 16 * r && 128 * 2 ** ln * r <= 256 * MIB && p <= 16 ? { ln, r, p } : undefined;
};

/** Whether the cost is enough for production. Below it, guesses at the passwords of stolen hashes are too cheap. */
export const isStrongScrypt = ({ ln, r, p }: ScryptConfig): boolean =>
  r >= 8 && ((ln === 15 && p >= 3) || (ln === 16 && p >= 2) || ln >= 17);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `{"pro": {"monthly": "id", "yearly": "id"}}`; each product id stands there once. */
export const products = (text: string): Products | undefined => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const ids: string[] = [];
  for (const tier of Object.values(value)) {
    if (!isObject(tier)) return undefined;
    for (const [cycle, id] of Object.entries(tier)) {
      if ((cycle !== 'monthly' && cycle !== 'yearly') || typeof id !== 'string' || id === '')
        return undefined;
      ids.push(id);
    }
  }
  return ids.length > 0 && new Set(ids).size === ids.length ? (value as Products) : undefined;
};
