import {
  type AccessTokenClaims,
  hasLowSignature,
  isTimely,
  readClaims,
  readKeyId,
} from '../../core/access-token.ts';
import type { AccessTokens } from '../../core/accounts/ports.ts';
import { loadJose } from './jose.ts';
import { withLowSignature } from './low-signature.ts';
import type { SigningKey, SigningKeys } from './signing-keys.ts';
import { makeTokenCache } from './token-cache.ts';

const unix = (milliseconds: number) => Math.floor(milliseconds / 1000);

/**
 * JWTs signed with ES256 (RFC 9068). A token has one accepted spelling, also of its signature. Up to `cacheSize`
 * verified tokens are remembered. Others are not, so a flood of garbage does not push them out.
 */
export const makeAccessTokens = (given: {
  readonly keys: SigningKeys;
  /** A function where it is known only later, as with a port that is picked. */
  readonly issuer: string | (() => string);
  readonly audience: string;
  readonly cacheSize?: number;
}): AccessTokens => {
  const { keys, audience, cacheSize = 4096 } = given;
  const issuer = () => (typeof given.issuer === 'string' ? given.issuer : given.issuer());
  const cache = makeTokenCache(cacheSize);

  const check = async (
    token: string,
    key: SigningKey,
    now: number,
  ): Promise<AccessTokenClaims | undefined> => {
    if (!hasLowSignature(token)) return undefined;
    const { JOSEError, jwtVerify } = await loadJose();
    try {
      const { payload } = await jwtVerify(token, key.publicKey, {
        algorithms: ['ES256'],
        issuer: issuer(),
        audience,
        currentDate: new Date(now),
      });
      const claims = readClaims(payload);
      return claims !== undefined && isTimely(claims, now) ? claims : undefined;
    } catch (error) {
      if (error instanceof JOSEError) return undefined;
      throw error;
    }
  };

  /** Another process may have read a changed key file before this one. */
  const findKey = async (kid: string, now: number): Promise<SigningKey | undefined> => {
    const known = keys.find(kid, now);
    if (known !== undefined) return known;
    await keys.refresh();
    return keys.find(kid, now);
  };

  return {
    issue: async ({ userId, sessionId, tokenId }, now, seconds) => {
      const { SignJWT } = await loadJose();
      const key = keys.current(now);
      const token = await new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key.kid })
        .setIssuer(issuer())
        .setAudience(audience)
        .setSubject(userId)
        .setJti(tokenId)
        .setIssuedAt(unix(now))
        .setExpirationTime(unix(now) + seconds)
        .sign(key.privateKey);
      return withLowSignature(token);
    },

    verify: async (token, now) => {
      const known = cache.find(token);
      if (known !== undefined) {
        // A changed key file has other key objects, so nothing verified before it is believed after it.
        if (keys.find(known.key.kid, now) === known.key && isTimely(known.claims, now)) return known.claims;
        cache.remove(token);
      }
      const kid = readKeyId(token);
      const key = kid === undefined ? undefined : await findKey(kid, now);
      if (key === undefined) return undefined;
      const claims = await check(token, key, now);
      if (claims !== undefined) cache.add(token, { claims, key });
      return claims;
    },

    forget: cache.forget,
    publicKeys: async (now) => ({ keys: keys.published(now) }),
  };
};
