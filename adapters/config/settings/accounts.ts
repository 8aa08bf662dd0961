import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defaultTiers } from '../../../core/tiers.ts';
import { type Kind, setting } from '../declare-setting.ts';
import { remoteStoreIn } from '../remote-store.ts';
import { integer, isReadableFile, oneOf, onOrOff, reads, text } from '../value-kinds.ts';
import type { ScryptConfig } from '../value-parsers.ts';
import * as read from '../value-parsers.ts';

const scrypt: Kind<ScryptConfig> = {
  must: 'of the form ln=15,r=8,p=3, with at most 256 MiB (128 * 2^ln * r bytes) and p at most 16',
  read: read.scrypt,
  show: ({ ln, r, p }) => `ln=${ln},r=${r},p=${p}`,
};

const BLOCKLIST = 'builtin, off or the path of a file that can be read';

const blocklist: Kind<string> = {
  must: BLOCKLIST,
  read: (value, cwd) => {
    if (value === 'builtin' || value === 'off') return value;
    const path = resolve(cwd, value);
    return isReadableFile(path) ? path : undefined;
  },
};

export const accounts = {
  /** Product name in mails and authenticator apps. */
  productName: setting(
    'PRODUCT_NAME',
    text('1 to 64 characters, none of them a colon, quote or angle bracket', /^[^\p{Cc}:"<>]{1,64}$/u),
    { default: 'Gatehouse' },
  ),
  /** `aud` of access tokens. */
  tokenAudience: setting('TOKEN_AUDIENCE', text('1 to 256 characters', /^\P{Cc}{1,256}$/u), {
    default: 'gatehouse',
  }),
  /**
   * Names of your other services. Each is the `aud` of access tokens for that service alone, which `POST
   * /api/auth/session/token` returns. The account service itself refuses such tokens. Example: `notes,files`.
   */
  tokenAudiences: setting(
    'TOKEN_AUDIENCES',
    reads(
      'up to 20 different names of 1 to 256 characters, without blanks, separated by commas',
      read.audiences,
    ),
    {
      byDefault: 'none',
      orElse: () => [],
      check: (names, { texts }) =>
        names?.includes(texts.TOKEN_AUDIENCE ?? 'gatehouse') && 'not name the TOKEN_AUDIENCE',
    },
  ),
  /** Lifetime of an access token in seconds. */
  accessTokenSeconds: setting('ACCESS_TOKEN_SECONDS', integer(1, 86_400), { default: '900' }),
  /** Lifetime of a refresh token in days. */
  refreshTokenDays: setting('REFRESH_TOKEN_DAYS', integer(1, 3650), { default: '30' }),
  /** A session ends after this many days, however often it is refreshed. */
  sessionMaxDays: setting('SESSION_MAX_DAYS', integer(1, 3650), { default: '180' }),
  /**
   * For this many seconds a refresh token that is presented again returns the same successor, as long as the
   * successor is unused. 0: a used token is always refused.
   */
  refreshGraceSeconds: setting('REFRESH_GRACE_SECONDS', integer(0, 3600), { default: '0' }),
  /**
   * How long a sign-in or another proof of identity counts as fresh, from 60 to 3600 seconds. Changes that protect the
   * account need a fresh proof.
   */
  reauthSeconds: setting('REAUTH_SECONDS', integer(60, 3600), { default: '600' }),
  /**
   * `on`: a sign-in with the header `X-Session: cookie` begins a session that the browser keeps in an httpOnly cookie;
   * [how](cookie-sessions.md). `PAGES=on` turns them on, too. Needs a `PUBLIC_URL` with https; outside production one
   * on a loopback address is enough, with a warning, and the cookie then lacks `Secure` and its prefix.
   */
  cookieSessions: setting('COOKIE_SESSIONS', onOrOff, {
    default: 'off',
    check: (on, { host, texts }) =>
      on &&
      !read.isGuarded(texts.PUBLIC_URL, host) &&
      'be off unless PUBLIC_URL is https, or http on a loopback outside production',
  }),
  /**
   * Origins whose pages may use cookie sessions, for browsers that send no `Sec-Fetch-Site`. Example:
   * `https://app.example.com`.
   *
   * Null: that of `publicUrl`.
   */
  cookieOrigins: setting(
    'COOKIE_ORIGINS',
    reads('exact origins such as https://app.example.com separated by commas', read.origins),
    { byDefault: 'origin of `PUBLIC_URL`' },
  ),
  /** `on`: operators without a second factor are refused. */
  operatorsNeed2fa: setting('OPERATORS_NEED_2FA', onOrOff, {
    byDefault: '`on` in production, else `off`',
    orElse: ({ production }) => production,
  }),
  /**
   * Passwords that users may not choose. `builtin`: a list of 49,000 common ones, and predictable ones (up to three
   * characters or a short block repeated; runs of the alphabet, the digits or a keyboard; a listed word with a common
   * ending). `off`: none. A path: a file with one password on each line, which replaces both lists. Unless it is `off`,
   * passwords made of `PRODUCT_NAME`, parts of the email or the display name are refused too.
   */
  passwordBlocklist: setting('PASSWORD_BLOCKLIST', blocklist, { default: 'builtin' }),
  /**
   * Cost of a password hash. An existing hash of another cost is replaced at the next sign-in. Until then a sign-in
   * with a cheaper hash takes as long as with a new one, with a costlier hash longer. Minimum in production:
   * `ln=15,r=8,p=3`, `ln=16,r=8,p=2` or `ln=17,r=8,p=1`.
   */
  scrypt: setting('SCRYPT', scrypt, {
    default: 'ln=15,r=8,p=3',
    check: (cost, { production }) =>
      production &&
      !read.isStrongScrypt(cost) &&
      'be at least ln=15,r=8,p=3 or ln=16,r=8,p=2 or ln=17,r=8,p=1 in production',
  }),
  /**
   * What runs scrypt. `native`: Node.js itself, in child processes of low priority. `portable`: JavaScript in
   * threads, which takes three to four times the processor time; for platforms without child processes or without
   * scrypt in `node:crypto`. Both write and read the same hashes.
   */
  hasher: setting('HASHER', oneOf('native', 'portable'), { default: 'native' }),
  /**
   * Number of hashing processes or threads. The `WORKERS` share them; each has at least one. Stored hashes that cost more
   * than four times `SCRYPT` are checked one at a time, in one of them; with `HASH_WORKERS=1`, in a second one beside it.
   */
  hashWorkers: setting('HASH_WORKERS', integer(1, 1024), {
    default: String(availableParallelism()),
    byDefault: 'one for each core',
  }),
  /**
   * Places for waiting hashes in each of the `WORKERS`. If all are taken, or a wait takes 2 seconds, the answer is 503.
   * One account, or one address, takes two places at most. Its further hashes wait for these two: after 2 seconds, or at
   * once if `HASH_QUEUE` of its hashes wait already, the answer is 429.
   */
  hashQueue: setting('HASH_QUEUE', integer(1, 100_000), { default: '16' }),
  /** Names of the tiers. `free` must be one of them. Example: `free,team`. */
  tiers: setting(
    'TIERS',
    reads(
      'different names separated by commas, free among them, of small letters, digits and dashes',
      read.tiers,
    ),
    { default: defaultTiers.join(',') },
  ),
  /**
   * What happens when users post their own tier: `trust` accepts it, `ignore` accepts only `metadata`, `reject`
   * answers 403. `trust` is refused in production and on a `HOST` that is not loopback.
   */
  selfEntitlement: setting('SELF_ENTITLEMENT', oneOf('trust', 'ignore', 'reject'), {
    byDefault:
      '`trust` with a warning outside production on a loopback `HOST` with the store in `DATA_DIR`, else `ignore`',
    orElse: ({ trial, texts }) => (trial && remoteStoreIn(texts) === undefined ? 'trust' : 'ignore'),
    check: (mode, { trial }) =>
      !trial &&
      mode === 'trust' &&
      'be ignore or reject in production and where HOST is not a loopback address',
  }),
};
