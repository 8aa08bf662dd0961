import type { Caller } from '../base-deps.ts';
import type { Deps } from '../deps.ts';
import { invalidToken } from '../errors.ts';
import type { Principal } from '../principal.ts';
import type { Session } from '../session.ts';
import { type SessionTokens, tokensInCookie } from './cookie.ts';
import { rotationBy } from './refresh.ts';
import { makeRenewCookie } from './renew-cookie.ts';
import { newSessionSecret } from './session-secret.ts';

const ATTEMPTS = 5;

/** A time later than every token of the session, even of a process whose clock is ahead, or of another renewal. */
const laterThanAny = ({ lastUsedAt, tokensFrom, usedTokens }: Session, now: number): number =>
  Math.max(now, lastUsedAt, tokensFrom ?? 0, ...usedTokens.map(({ at }) => at)) + 1;

/**
 * Gives a session a new pair of tokens, or its cookie a new value, and the session version of the change that voided
 * the earlier secrets. The earlier secrets stay void even if the process dies before this call. If the call fails, the
 * session ends. Throws `unauthenticated` (`invalid_token`) if the session ended meanwhile, or if other requests refresh
 * it in every attempt.
 * See decision 0011.
 */
export const makeRenewPair = (deps: Deps) => {
  const { clock, digest, idAt, policy, sessions, tokens, wake } = deps;
  const renewCookie = makeRenewCookie(deps);

  const renew = async (
    principal: Principal,
    sessionVersion: number,
    caller: Caller,
  ): Promise<SessionTokens> => {
    if (principal.cookie !== undefined)
      return tokensInCookie(await renewCookie.afterChange(principal, sessionVersion, caller));
    const userId = principal.user.id;
    const sessionId = principal.session.id;
    // Repeats when a refresh of the same session came in between.
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const session = await sessions.find(userId, sessionId);
      if (session?.refreshDigest == null || session.endedAt !== null) break;
      const now = clock.now();
      const tokensFrom = laterThanAny(session, now);
      const subject = { userId, sessionId, tokenId: idAt(tokensFrom) };
      const token = await tokens.issue(subject, now, policy.accessTokenSeconds);
      const refreshToken = newSessionSecret(deps, 'refresh-mark', userId, sessionId);
      const renewed = await sessions.rotate({
        userId,
        sessionId,
        presented: session.refreshDigest,
        next: digest.sha256(refreshToken),
        ...rotationBy(caller, policy, now),
        tokensFrom,
        epoch: sessionVersion,
      });
      if (renewed === undefined) continue;
      tokens.forget(sessionId);
      return { token, refreshToken };
    }
    throw invalidToken();
  };

  return (principal: Principal, sessionVersion: number, caller: Caller): Promise<SessionTokens> =>
    renew(principal, sessionVersion, caller).catch(async (error: unknown) => {
      await sessions.end(principal.user.id, principal.session.id, clock.now()).catch(() => undefined);
      tokens.forget(principal.session.id);
      wake();
      throw error;
    });
};
