import { invalidToken } from '../errors.ts';
import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';
import type { Caller } from '../needs.ts';
import type { Session } from '../session.ts';
import { inCookie, type Kept } from './cookie.ts';
import { newSecret } from './marked-secret.ts';
import { rotationBy } from './refresh.ts';
import { makeRenewCookie } from './renew-cookie.ts';

const ATTEMPTS = 5;

/** Later than any token there is, also one of a process whose clock is ahead, or of another renewal. */
const laterThanAny = ({ lastUsedAt, tokensFrom, usedTokens }: Session, now: number): number =>
  Math.max(now, lastUsedAt, tokensFrom ?? 0, ...usedTokens.map(({ at }) => at)) + 1;

/**
 * Gives a session a new pair of tokens, or its cookie a new value, and the epoch of the change that voided the earlier
 * ones. Those stay void even if the process dies before this call. If the call fails, the session ends. Throws `unauthenticated`
 * (`invalid_token`) if the session ended meanwhile, or if others refresh it faster.
 * See decision 0011.
 */
export const makeRenewPair = (kit: Kit) => {
  const { clock, digest, idAt, policy, sessions, tokens, wake } = kit;
  const renewCookie = makeRenewCookie(kit);

  const renew = async (who: Identity, epoch: number, caller: Caller): Promise<Kept> => {
    if (who.cookie !== undefined) return inCookie(await renewCookie.afterChange(who, epoch, caller));
    const [userId, sessionId] = [who.user.id, who.session.id];
    // Again when a refresh of the same session came in between.
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const session = await sessions.find(userId, sessionId);
      if (session?.refreshDigest == null || session.endedAt !== null) break;
      const now = clock.now();
      const tokensFrom = laterThanAny(session, now);
      const subject = { userId, sessionId, tokenId: idAt(tokensFrom) };
      const token = await tokens.issue(subject, now, policy.accessTokenSeconds);
      const refreshToken = newSecret(kit, 'refresh-mark', userId, sessionId);
      const renewed = await sessions.rotate({
        userId,
        sessionId,
        presented: session.refreshDigest,
        next: digest.sha256(refreshToken),
        ...rotationBy(caller, policy, now),
        tokensFrom,
        epoch,
      });
      if (renewed === undefined) continue;
      tokens.forget(sessionId);
      return { token, refreshToken };
    }
    throw invalidToken();
  };

  return (who: Identity, epoch: number, caller: Caller): Promise<Kept> =>
    renew(who, epoch, caller).catch(async (error: unknown) => {
      await sessions.end(who.user.id, who.session.id, clock.now()).catch(() => undefined);
      tokens.forget(who.session.id);
      wake();
      throw error;
    });
};
