import type { AccessTokenClaims } from '../../core/access-token.ts';
import type { SigningKey } from './signing-keys.ts';

/** A token that was verified, and by which key. */
export interface VerifiedToken {
  readonly claims: AccessTokenClaims;
  readonly key: SigningKey;
}

/**
 * The tokens verified last, at most `size`. Verifying takes a turn in the thread pool behind file and DNS work;
 * a token seen before takes none.
 */
export const makeTokenCache = (size: number) => {
  // A Map keeps the order of insertion: the least recently used comes first.
  const kept = new Map<string, VerifiedToken>();

  return {
    find: (token: string): VerifiedToken | undefined => {
      const found = kept.get(token);
      if (found === undefined) return undefined;
      kept.delete(token);
      kept.set(token, found);
      return found;
    },
    add: (token: string, verified: VerifiedToken): void => {
      kept.set(token, verified);
      if (kept.size <= size) return;
      for (const [oldest] of kept) {
        kept.delete(oldest);
        return;
      }
    },
    remove: (token: string): void => {
      kept.delete(token);
    },
    forget: (sessionId: string): void => {
      for (const [token, { claims }] of kept) if (claims.sessionId === sessionId) kept.delete(token);
    },
  };
};
