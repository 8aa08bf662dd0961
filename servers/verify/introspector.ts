import { type AccessTokenClaims, readClaims, readKeyId } from '../../core/access-token.ts';
import { type Fetch, fetchJson, globalFetch, WrongStatus } from './fetch-json.ts';
import { checkOptions, originOf } from './options.ts';
import { invalidToken, requireToken, unavailable, VerifyError } from './verify-error.ts';

export interface IntrospectorOptions {
  /** The address of the account service. */
  readonly url: string;
  /** One value of `INTERNAL_SECRET`. Not for browsers. */
  readonly secret: string;
  /** This service's name in the account service's `TOKEN_AUDIENCES`: no other tokens are accepted then. */
  readonly audience?: string | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch | undefined;
}

/** The owner of the token, with their present rights. */
export interface TokenOwner extends AccessTokenClaims {
  readonly tier: string;
  readonly isPremium: boolean;
  readonly customStorageLimit: number | null;
  readonly customApiKeyLimit: number | null;
}

export interface Introspector {
  /**
   * Asks the account service about an access token (RFC 7662), or about the value of a session's cookie. A logout, a ban or
   * another tier has effect within a second. Throws a `VerifyError`: `invalid_token`, `account_banned`, `account_disabled`,
   * `unavailable`.
   */
  introspect(token: string): Promise<TokenOwner>;
}

const MEMBERS = { tier: 'string', isPremium: 'boolean', banned: 'boolean', disabled: 'boolean' } as const;

/** The value of a session's cookie: two ids, a secret and a MAC. */
const COOKIE = /^[0-9a-f-]{36}\.[0-9a-f-]{36}\.[\w-]{43}\.[\w-]{22}$/;

/** The characters of a secret: printable ASCII without the comma, which separates two values in the setting. */
const SECRET = /^[!-+\--~]+$/;

const isLimit = (value: unknown): value is number | null => value === null || typeof value === 'number';

/** The owner that a response names. Throws if there is none, or if the owner is banned or disabled. */
const readOwner = (answer: Readonly<Record<string, unknown>>, audience: string | undefined): TokenOwner => {
  if (answer.active === false) throw invalidToken();
  const claims = readClaims(answer);
  const { tier, customStorageLimit, customApiKeyLimit } = answer;
  const isWhole = Object.entries(MEMBERS).every(([name, type]) => typeof answer[name] === type);
  if (!isWhole || claims === undefined || !isLimit(customStorageLimit) || !isLimit(customApiKeyLimit))
    throw unavailable('The answer is not one of introspection.', 1);
  // The token must name this service, or none if this service has no audience of its own.
  if (answer.aud !== audience) throw invalidToken();
  if (answer.banned) throw new VerifyError('account_banned', 'This account is banned.');
  if (answer.disabled) throw new VerifyError('account_disabled', 'This account is disabled.');
  const isPremium = answer.isPremium === true;
  return { ...claims, tier: String(tier), isPremium, customStorageLimit, customApiKeyLimit };
};

/** Checks each access token at the account service. While that is unreachable, no token is accepted. */
export const createIntrospector = (options: IntrospectorOptions): Introspector => {
  checkOptions(options);
  const { secret, audience, fetch = globalFetch } = options;
  const url = `${originOf('url', options.url)}/api/auth/introspect`;
  // `fetch` refuses some other characters in a header, and its error would show the secret.
  if (typeof secret !== 'string' || !SECRET.test(secret.trim()))
    throw new TypeError('secret must be one value of INTERNAL_SECRET.');
  const headers = { 'Content-Type': 'application/json', 'x-internal-secret': secret.trim() };

  return {
    introspect: async (token) => {
      requireToken(token);
      // No call for a text that can be neither an access token nor a cookie.
      if (readKeyId(token) === undefined && !COOKIE.test(token)) throw invalidToken();
      const body = JSON.stringify({ token });
      const answer = await fetchJson(fetch, url, { method: 'POST', headers, body }).catch((cause) => {
        const wait = cause instanceof WrongStatus ? cause.retryAfter : 1;
        throw unavailable('The account service cannot be asked.', wait, cause);
      });
      // `Object` turns null and other JSON that is no object into an object without these members.
      return readOwner(Object(answer), audience);
    },
  };
};
