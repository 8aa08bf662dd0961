import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { invalidToken } from '../errors.ts';
import type { Principal } from '../principal.ts';
import type { Session } from '../session.ts';
import { changeSession } from './change-session.ts';
import { rotatedSession, rotationBy } from './refresh.ts';
import { renewCookie } from './renew-cookie.ts';
import { newSessionSecret, type SessionTokens, tokensInCookie } from './session-secret.ts';

/** A time later than every token of the session, even of a process whose clock is ahead, or of another renewal. */
const laterThanAny = ({ lastUsedAt, tokensFrom, usedTokens }: Session, now: number): number =>
  Math.max(now, lastUsedAt, tokensFrom ?? 0, ...usedTokens.map(({ at }) => at)) + 1;

const renew = async (
  deps: Deps,
  principal: Principal,
  sessionVersion: number,
  caller: Caller,
): Promise<SessionTokens> => {
  const { clock, digest, idAt, policy, tokens } = deps;
  if (principal.cookie !== undefined)
    return tokensInCookie(await renewCookie(deps, principal, sessionVersion, caller));
  const key = { userId: principal.user.id, id: principal.session.id };
  const pair = await changeSession<SessionTokens>(deps, key, async (session) => {
    if (session.refreshDigest === null || session.endedAt !== null) return undefined;
    const now = clock.now();
    const tokensFrom = laterThanAny(session, now);
    const subject = { userId: key.userId, sessionId: key.id, tokenId: idAt(tokensFrom) };
    const token = await tokens.issue(subject, now, policy.accessTokenSeconds);
    const refreshToken = newSessionSecret(deps, 'refresh-mark', key.userId, key.id);
    const next = rotatedSession(session, {
      presented: session.refreshDigest,
      next: digest.sha256(refreshToken),
      ...rotationBy(caller, policy, now),
      tokensFrom,
      epoch: sessionVersion,
    });
    return next && { next, answer: { token, refreshToken } };
  });
  if (pair === undefined) throw invalidToken();
  tokens.forget(key.id);
  return pair;
};

/**
 * Gives a session new secrets (a pair of tokens, or a new value of its cookie) and `sessionVersion`, the version set by
 * the change that voided the earlier ones. Those stay void even if the process dies before this call. If the call fails,
 * the session ends. Throws `unauthenticated` (`invalid_token`) if the session ended meanwhile. See decision 0011.
 */
export const reissueTokens = (
  deps: Deps,
  principal: Principal,
  sessionVersion: number,
  caller: Caller,
): Promise<SessionTokens> =>
  renew(deps, principal, sessionVersion, caller).catch(async (error: unknown) => {
    const { clock, sessions, tokens, wake } = deps;
    await sessions.end(principal.user.id, principal.session.id, clock.now()).catch(() => undefined);
    tokens.forget(principal.session.id);
    wake();
    throw error;
  });
