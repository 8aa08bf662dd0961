import { JOSEError } from 'jose/errors';
import { jwtVerify } from 'jose/jwt/verify';
import {
  type AccessTokenClaims,
  hasLowSignature,
  isTimely,
  readBearer,
  readClaims,
  readKeyId,
} from '../../core/access-token.ts';
import { type Fetch, fetchJson, globalFetch } from './fetch-json.ts';
import { makeKeyCache, readKeys } from './key-cache.ts';
import { checkOptions, originOf } from './options.ts';
import { invalidToken, requireToken } from './verify-error.ts';

export {
  createIntrospector,
  type Introspector,
  type IntrospectorOptions,
  type TokenOwner,
} from './introspector.ts';
export { type VerifyCode, VerifyError } from './verify-error.ts';
export type { AccessTokenClaims, Fetch };

export interface VerifierOptions {
  /** The account service's `PUBLIC_URL`, which its tokens name as `iss`. */
  readonly issuer: string;
  /**
   * The `aud` that tokens must have: this service's name in the account service's `TOKEN_AUDIENCES`, else its
   * `TOKEN_AUDIENCE`. Default: `gatehouse`.
   */
  readonly audience?: string | undefined;
  /** Where this program reaches the account service, if not at `issuer`. */
  readonly url?: string | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch | undefined;
}

export interface Verifier {
  /**
   * Checks an access token by the public keys of the account service. A logout or a ban has no effect before the token
   * expires. Throws a `VerifyError`: `invalid_token`, `unavailable`.
   */
  verify(token: string): Promise<AccessTokenClaims>;
}

/** Checks access tokens without a request for each token. Create a single verifier: it caches the keys. */
export const createVerifier = (options: VerifierOptions): Verifier => {
  checkOptions(options);
  const issuer = originOf('issuer', options.issuer);
  const { audience = 'gatehouse', fetch = globalFetch } = options;
  const url = `${originOf('url', options.url ?? issuer)}/.well-known/jwks.json`;
  const keys = makeKeyCache(async () => readKeys(await fetchJson(fetch, url)));

  return {
    verify: async (token) => {
      requireToken(token);
      const kid = readKeyId(token);
      // Anybody can make a second valid signature of a token from the first: only the one with the low `s` is accepted.
      const key = kid === undefined || !hasLowSignature(token) ? undefined : await keys.find(kid);
      if (key === undefined) throw invalidToken();
      const now = Date.now();
      const claims = await jwtVerify(token, key, {
        algorithms: ['ES256'],
        issuer,
        audience,
        currentDate: new Date(now),
      }).then(
        ({ payload }) => readClaims(payload),
        (error) => {
          if (error instanceof JOSEError) return undefined;
          throw error;
        },
      );
      // `jwtVerify` accepts a time of issue in the future; `isTimely` does not.
      if (claims === undefined || !isTimely(claims, now)) throw invalidToken();
      return claims;
    },
  };
};

/** The token of an `Authorization` header. Throws `invalid_token` if there is none. */
export const bearerToken = (authorization: string | null | undefined): string => {
  const token = readBearer(authorization ?? '');
  // The argument says whether a header was sent: only then does the challenge name an error.
  if (token === undefined) throw invalidToken(authorization != null);
  return token;
};
