import { unavailable } from '../errors.ts';
import { invalidToken } from './errors.ts';
import type { Identity } from './identity.ts';
import type { Kit } from './kit.ts';
import type { Caller } from './needs.ts';
import { rotationBy } from './refresh.ts';
import { newRefreshToken } from './refresh-token.ts';

/** An access token and the refresh token that belongs to it. */
export interface TokenPair {
  readonly token: string;
  readonly refreshToken: string;
}

const ATTEMPTS = 5;

/**
 * Gives a session that goes on a new pair of tokens; from that write on every earlier one is over. Throws
 * `unauthenticated` (`invalid_token`) when the session ended meanwhile.
 */
export const makeRenewPair = (kit: Kit) => {
  const { clock, digest, idAt, policy, sessions, tokens } = kit;

  return async (who: Identity, caller: Caller): Promise<TokenPair> => {
    const [userId, sessionId] = [who.account.id, who.session.id];
    // Again when a refresh of the same session came in between.
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const session = await sessions.find(userId, sessionId);
      if (session === undefined || session.endedAt !== null) throw invalidToken();
      const now = clock.now();
      // Later than any token there is, also one of a process whose clock is ahead.
      const tokensFrom = Math.max(now, session.lastUsedAt) + 1;
      const subject = { userId, sessionId, tokenId: idAt(tokensFrom) };
      const token = await tokens.issue(subject, now, policy.accessTokenSeconds);
      const refreshToken = newRefreshToken(kit, userId, sessionId);
      const renewed = await sessions.rotate({
        userId,
        sessionId,
        presented: session.refreshDigest,
        next: digest.sha256(refreshToken),
        ...rotationBy(caller, policy, now),
        tokensFrom,
      });
      if (renewed === undefined) continue;
      tokens.forget(sessionId);
      return { token, refreshToken };
    }
    throw unavailable('contended', 'Too many changes of this session at once; try again.', 1);
  };
};
