import { TRUE, USER_ID } from '../../answer-schemas.ts';
import { CoreError } from '../../errors.ts';
import { constant, flag, integer, object, oneOf, optional, type TypeOf, text, union } from '../../schema.ts';
import { isBanned, isDisabled } from '../account.ts';
import type { Deps } from '../deps.ts';
import { effectiveAccess, IS_PREMIUM, ownLimit, SERVICE, TIER } from '../entitlement.ts';
import { entitlementOf } from '../entitlements/change-entitlements.ts';
import { makeReadCookie, readToken } from './authenticate.ts';
import { ACCESS_TOKEN, readSecret } from './session-secret.ts';

export const introspectInput = object({ token: { ...ACCESS_TOKEN, maxLength: 16_384 } });
/** `token` is an access token, or the value of a session's cookie. */
export type IntrospectInput = TypeOf<typeof introspectInput>;

const seconds = (description: string) =>
  integer({ description: `${description}, Unix seconds`, examples: [1_795_284_000] });

export const introspection = union([
  object(
    {
      active: TRUE,
      sub: USER_ID,
      sid: text({ examples: ['0199a0b1-77aa-7c01-8e55-2f1b9c3d4e5f'] }),
      jti: text({ examples: ['0199a0b1-78bb-7d02-9e66-3a2c0d4e5f60'] }),
      aud: optional(
        text({
          description: 'Set for a token for a service of `TOKEN_AUDIENCES` alone',
          examples: ['notes'],
        }),
      ),
      iat: seconds('Issued'),
      exp: seconds('Expires'),
      token_type: oneOf(['Bearer', 'Cookie'], {
        description: '`Cookie` for the value of a session’s cookie',
      }),
      tier: TIER,
      isPremium: IS_PREMIUM,
      banned: flag({ description: 'Whether the account is banned', examples: [false] }),
      disabled: flag({ description: 'Whether the account is disabled', examples: [false] }),
      customStorageLimit: ownLimit('Bytes'),
      customApiKeyLimit: ownLimit('A number of keys'),
    },
    { title: 'ActiveToken' },
  ),
  object({ active: constant(false) }, { title: 'InactiveToken' }),
]);
/**
 * RFC 7662 section 2.2, with the current rights and limits, which an upload server would ask for next. `iat` and `exp`
 * are Unix seconds; `aud` is present only in a token for a service of `TOKEN_AUDIENCES`.
 */
export type Introspection = TypeOf<typeof introspection>;

export const makeIntrospect = (deps: Deps) => {
  const readCookie = makeReadCookie(deps);

  const readCookieOrNot = (value: string) =>
    readCookie(value).catch((error: unknown) => {
      if (error instanceof CoreError && error.kind === 'unauthenticated') return undefined;
      throw error;
    });

  return async ({ token }: IntrospectInput): Promise<Introspection> => {
    const isCookie = readSecret(token) !== undefined;
    const owner = await (isCookie ? readCookieOrNot(token) : readToken(deps, token));
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
