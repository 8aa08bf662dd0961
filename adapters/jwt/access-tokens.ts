import {
  type AccessTokenClaims,
  ES256_ORDER,
  ES256_SIZE,
  hasLowSignature,
  isTimely,
  readClaims,
  readKeyId,
} from '../../core/access-token.ts';
import type { AccessTokens } from '../../core/accounts/ports.ts';
import { type SigningKey, type SigningKeys, unixSeconds } from './signing-keys.ts';

/** The claims of a verified token, and the key that verified it. */
export interface VerifiedToken {
  readonly claims: AccessTokenClaims;
  readonly key: SigningKey;
}

/** A cache of the last verified tokens, since a verification waits in the thread pool behind file and DNS work. */
const makeTokenCache = (size: number) => {
  // A Map keeps the order of insertion: the least recently used comes first.
  const tokens = new Map<string, VerifiedToken>();

  return {
    find: (token: string): VerifiedToken | undefined => {
      const verified = tokens.get(token);
      if (verified === undefined) return undefined;
      tokens.delete(token);
      tokens.set(token, verified);
      return verified;
    },
    add: (token: string, verified: VerifiedToken): void => {
      tokens.set(token, verified);
      const [oldest = ''] = tokens.keys();
      if (tokens.size > size) tokens.delete(oldest);
    },
    remove: (token: string): void => {
      tokens.delete(token);
    },
    forget: (sessionId: string): void => {
      for (const [token, { claims }] of tokens) if (claims.sessionId === sessionId) tokens.delete(token);
    },
  };
};

/** The token with the lower of the two values of `s` that make its signature valid, as its one spelling (decision 0016). */
export const withLowSignature = (token: string): string => {
  if (hasLowSignature(token)) return token;
  const signatureAt = token.lastIndexOf('.') + 1;
  const signature = Buffer.from(token.slice(signatureAt), 'base64url');
  const r = signature.subarray(0, ES256_SIZE);
  const s = BigInt(`0x${signature.subarray(ES256_SIZE).toString('hex')}`);
  const lowS = (ES256_ORDER - s).toString(16).padStart(2 * ES256_SIZE, '0');
  return token.slice(0, signatureAt) + Buffer.concat([r, Buffer.from(lowS, 'hex')]).toString('base64url');
};

const load = async () => {
  // One after the other: Jest's loader fails where two imports at once share modules.
  const { JOSEError } = await import('jose/errors');
  const { SignJWT } = await import('jose/jwt/sign');
  const { jwtVerify } = await import('jose/jwt/verify');
  return { JOSEError, SignJWT, jwtVerify };
};

let loaded: ReturnType<typeof load> | undefined;

/** Loads jose with the first token: at the start it would take a tenth of the start's time. */
const loadJose = () => {
  loaded ??= load();
  return loaded;
};

/**
 * JWTs signed with ES256 (RFC 9068). A token has one accepted spelling, also of its signature. Up to `cacheSize` verified
 * tokens are cached. Invalid tokens are not, so a flood of them evicts nothing.
 */
export const makeAccessTokens = (options: {
  readonly keys: SigningKeys;
  /** A function if the issuer is known only later, as with port 0. */
  readonly issuer: string | (() => string);
  readonly audience: string;
  /** Other services for which tokens may be issued. */
  readonly otherAudiences?: readonly string[];
  readonly cacheSize?: number;
}): AccessTokens => {
  const { keys, audience, otherAudiences = [], cacheSize = 4096 } = options;
  const issuer = () => (typeof options.issuer === 'string' ? options.issuer : options.issuer());
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
        audience: [audience, ...otherAudiences],
        currentDate: new Date(now),
      });
      const claims = readClaims(payload);
      if (claims === undefined || !isTimely(claims, now) || typeof payload.aud !== 'string') return undefined;
      return payload.aud === audience ? claims : { ...claims, audience: payload.aud };
    } catch (error) {
      if (error instanceof JOSEError) return undefined;
      throw error;
    }
  };

  /** Reads the key file for an unknown id: another process may have read a change of the file before this process. */
  const findKey = async (kid: string, now: number): Promise<SigningKey | undefined> => {
    const key = keys.find(kid, now);
    if (key !== undefined) return key;
    await keys.refresh();
    return keys.find(kid, now);
  };

  return {
    issue: async ({ userId, sessionId, tokenId, audience: otherAudience }, now, seconds) => {
      const { SignJWT } = await loadJose();
      const key = keys.current(now);
      const token = await new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key.kid })
        .setIssuer(issuer())
        .setAudience(otherAudience ?? audience)
        .setSubject(userId)
        .setJti(tokenId)
        .setIssuedAt(unixSeconds(now))
        .setExpirationTime(unixSeconds(now) + seconds)
        .sign(key.privateKey);
      return withLowSignature(token);
    },

    verify: async (token, now) => {
      const cached = cache.find(token);
      if (cached !== undefined) {
        // A changed key file has new key objects, so tokens cached before the change are verified again.
        if (keys.find(cached.key.kid, now) === cached.key && isTimely(cached.claims, now))
          return cached.claims;
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
