import { CoreError } from '../../errors.ts';
import { isBanned, isDisabled } from '../account.ts';
import { effectiveAccess, SERVICE } from '../entitlement.ts';
import { entitlementOf } from '../entitlements/entitle.ts';
import type { Kit } from '../kit.ts';
import { makeReadToken } from './authenticate.ts';
import { readSecret } from './marked-secret.ts';
import { makeReadCookie } from './read-cookie.ts';

export interface Introspect {
  /** An access token, or the value of a session's cookie. */
  readonly token: string;
}

/** RFC 7662 section 2.2, with what an upload server asks next: rights and limits, as they are now. */
export type Introspection =
  | { readonly active: false }
  | {
      readonly active: true;
      readonly sub: string;
      readonly sid: string;
      readonly jti: string;
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

export const makeIntrospect = (kit: Kit) => {
  const readToken = makeReadToken(kit);
  const readCookie = makeReadCookie(kit);

  const readCookieOrNot = (value: string) =>
    readCookie(value).catch((error: unknown) => {
      if (isUnauthenticated(error)) return undefined;
      throw error;
    });

  return async ({ token }: Introspect): Promise<Introspection> => {
    const isCookie = readSecret(token) !== undefined;
    const owner = await (isCookie ? readCookieOrNot(token) : readToken(token));
    if (owner === undefined) return { active: false };
    const { account, claims } = owner;
    const entitlement = entitlementOf(account, SERVICE);
    const now = kit.clock.now();
    return {
      active: true,
      sub: claims.userId,
      sid: claims.sessionId,
      jti: claims.tokenId,
      iat: claims.issuedAt,
      exp: claims.expiresAt,
      token_type: isCookie ? 'Cookie' : 'Bearer',
      ...effectiveAccess(entitlement, kit.policy.selfEntitlement),
      banned: isBanned(account, now),
      disabled: isDisabled(account, now),
      customStorageLimit: entitlement?.customStorageLimit ?? null,
      customApiKeyLimit: entitlement?.customApiKeyLimit ?? null,
    };
  };
};
