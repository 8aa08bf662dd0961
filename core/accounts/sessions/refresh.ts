import { CoreError } from '../../errors.ts';
import { type Account, isBanned, isDisabled } from '../account.ts';
import { invalidRefreshToken } from '../errors.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { withPending } from '../pending.ts';
import type { AccountsPolicy } from '../policy.ts';
import { awaitsRenewal, isLive, isReplaced, type Session, timeSince } from '../session.ts';
import { isOurs, type NamedSession, newSecret, readSecret } from './marked-secret.ts';
import { successorsOf } from './refresh-token.ts';

export interface Refresh {
  readonly refreshToken: string;
}

/** The flags are there only when one of them is true. */
export interface RefreshAnswer {
  readonly token: string;
  readonly refreshToken: string;
  readonly banned?: boolean;
  readonly disabled?: boolean;
}

export const makeRefresh = (kit: Kit) => {
  const { accounts, clock, digest, idAt, log, policy, sessions, tokens } = kit;
  const repeated = makeRepeated(kit);

  const exchange = async (given: string, named: NamedSession, caller: Caller): Promise<RefreshAnswer> => {
    const { userId, sessionId } = named;
    const now = clock.now();
    const successor =
      policy.refreshGrace > 0
        ? successorsOf(digest, given)[0]
        : newSecret(kit, 'refresh-mark', userId, sessionId);
    // Before the rotation: when one of them fails, the token given is still good.
    const issue = (tokenId: string) =>
      tokens.issue({ userId, sessionId, tokenId }, now, policy.accessTokenSeconds);
    // Of the rotation's own time, by which a password change tells what is earlier.
    const tokenId = idAt(now);
    const [account, issued] = await Promise.all([accounts.find(userId), issue(tokenId)]);
    const rotated = await sessions.rotate({
      userId,
      sessionId,
      presented: digest.sha256(given),
      next: digest.sha256(successor),
      ...rotationBy(caller, policy, now),
    });
    const [session, refreshToken] =
      rotated === undefined ? await repeated(given, named, account, caller) : [rotated, successor];
    if (account === undefined || !isLive(session, account, now)) {
      if (account === undefined || !awaitsRenewal(session, account))
        await sessions.end(userId, sessionId, now);
      throw invalidRefreshToken();
    }
    // Where the pair was replaced by a process whose clock is ahead of ours.
    const token = isReplaced(session, tokenId) ? await issue(idAt(session.tokensFrom ?? now)) : issued;
    log.info('session.refreshed', { userId, sessionId, ...calledFrom(caller) });
    const [banned, disabled] = [isBanned(account, now), isDisabled(account, now)];
    return banned || disabled ? { token, refreshToken, banned, disabled } : { token, refreshToken };
  };

  return async ({ refreshToken }: Refresh, caller: Caller): Promise<RefreshAnswer> => {
    const named = readSecret(refreshToken);
    try {
      if (named === undefined) throw invalidRefreshToken();
      return await exchange(refreshToken, named, caller);
    } catch (error) {
      if (error instanceof CoreError && error.kind === 'unauthenticated') {
        log.info('session.refresh_failed', { ...named, ...calledFrom(caller) });
      }
      throw error;
    }
  };
};

/** Fields of every rotation: the client, the end of the next token, and the limits for remembered tokens. */
export const rotationBy = ({ address, userAgent }: Caller, policy: AccountsPolicy, now: number) => ({
  now,
  refreshExpiresAt: now + policy.refreshTokenLife,
  address,
  userAgent: userAgent?.slice(0, 256) ?? null,
  usedTokens: { life: policy.refreshReuseTolerance, most: policy.usedTokensKept },
});

/** A token that cannot be rotated: a repeat within the grace gets its successor again, a late one ends the session. */
const makeRepeated = (kit: Kit) => {
  const { accounts, change, clock, digest, entries, log, policy, sessions, tokens } = kit;

  /** Writes mail and audit row first. After a crash before the end, the next use of the token ends the session. */
  const endStolen = async ({ userId, id }: Session, caller: Caller) => {
    // The ids come from the session, so a repetition adds nothing.
    const [rowId, noticeId] = [`stolen-${id}`, `stolen-${id}-mail`];
    await change(
      () => accounts.find(userId),
      (account) => {
        if (account === undefined || account.deletedAt !== null) return { next: null, answer: undefined };
        if (account.pending.some((entry) => entry.id === rowId)) return { next: null, answer: undefined };
        const at = new Date(clock.now()).toISOString();
        const row = entries.audit({
          action: 'session.reuse_detected',
          actor: 'system',
          target: userId,
          caller,
        });
        const notice = entries.mail(account, 'session-stolen', { at, address: caller.address });
        const told = withPending(account, { ...row, id: rowId }, { ...notice, id: noticeId });
        return { next: told, answer: undefined };
      },
    );
    if (await sessions.end(userId, id, clock.now())) {
      log.warn('session.stolen', { userId, sessionId: id, ...calledFrom(caller) });
    }
    tokens.forget(id);
  };

  return async (
    given: string,
    { userId, sessionId }: NamedSession,
    account: Account | undefined,
    caller: Caller,
  ): Promise<readonly [Session, string]> => {
    const now = clock.now();
    const session = await sessions.find(userId, sessionId);
    if (session === undefined || session.endedAt !== null) throw invalidRefreshToken();
    // Its tokens are over already, and not by a theft.
    if (account !== undefined && awaitsRenewal(session, account)) throw invalidRefreshToken();
    const presented = digest.sha256(given);
    const use = session.usedTokens.find((used) => used.digest === presented);
    // A token of ours that the session does not remember was used longer ago than it remembers.
    const sinceUse = use === undefined ? Number.POSITIVE_INFINITY : timeSince(use.at, now);
    const isLast = use !== undefined && use === session.usedTokens[0];
    if (policy.refreshGrace > 0 && isLast && sinceUse <= policy.refreshGrace) {
      const successor = successorsOf(digest, given).find(
        (one) => digest.sha256(one) === session.refreshDigest,
      );
      if (successor !== undefined) return [session, successor];
    }
    const used = presented !== session.refreshDigest && isOurs(digest, 'refresh-mark', given);
    if (used && sinceUse > policy.refreshReuseTolerance) await endStolen(session, caller);
    throw invalidRefreshToken();
  };
};
