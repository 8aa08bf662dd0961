import { CoreError } from '../../errors.ts';
import { isBanned, isDisabled } from '../account.ts';
import type { Deps } from '../deps.ts';
import { effectiveAccess, SERVICE } from '../entitlement.ts';
import { entitlementOf } from '../entitlements/set-entitlement.ts';
import { makeReadToken } from './authenticate.ts';
import { makeReadCookie } from './read-cookie.ts';
import { readSecret } from './session-secret.ts';

export interface IntrospectInput {
  /** An access token, or the value of a session's cookie. */
  readonly token: string;
}

/** RFC 7662 section 2.2, with the current rights and limits, which an upload server would ask for next. */
export type Introspection =
  | { readonly active: false }
  | {
      readonly active: true;
      readonly sub: string;
      readonly sid: string;
      readonly jti: string;
      /** Present only in a token for a service of `TOKEN_AUDIENCES`. */
      readonly aud?: string;
      readonly iat: number;
      readonly exp: number;
      readonly token_type: 'Bearer' | 'Cookie';
      readonly tier: string;
      readonly isPremium: boolean;
      readonly banned: boolean;
      readonly disabled: boolean;
      readonly customStorageLimit: number | null;
      readonly customApiKeyLimit: number | null;
    };

const isUnauthenticated = (error: unknown) => error instanceof CoreError && error.kind === 'unauthenticated';

export const makeIntrospect = (deps: Deps) => {
  const readToken = makeReadToken(deps);
  const readCookie = makeReadCookie(deps);

  const readCookieOrNot = (value: string) =>
    readCookie(value).catch((error: unknown) => {
      if (isUnauthenticated(error)) return undefined;
      throw error;
    });

  return async ({ token }: IntrospectInput): Promise<Introspection> => {
    const isCookie = readSecret(token) !== undefined;
    const owner = await (isCookie ? readCookieOrNot(token) : readToken(token));
    if (owner === undefined) return { active: false };
    const { account, claims } = owner;
    const entitlement = entitlementOf(account, SERVICE);
    const now = deps.clock.now();
    return {
      active: true,
      sub: claims.userId,
      sid: claims.sessionId,
      jti: claims.tokenId,
      ...(claims.audience !== undefined && { aud: claims.audience }),
      iat: claims.issuedAt,
      exp: claims.expiresAt,
      token_type: isCookie ? 'Cookie' : 'Bearer',
      ...effectiveAccess(entitlement, deps.policy.selfEntitlement),
      banned: isBanned(account, now),
      disabled: isDisabled(account, now),
      customStorageLimit: entitlement?.customStorageLimit ?? null,
      customApiKeyLimit: entitlement?.customApiKeyLimit ?? null,
    };
  };
};
