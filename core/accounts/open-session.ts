import { type Account, isBanned, isDisabled } from './account.ts';
import { effectiveAccess } from './entitlement.ts';
import type { Kit } from './kit.ts';
import type { Caller } from './needs.ts';
import { newRefreshToken } from './refresh-token.ts';
import type { Session } from './session.ts';

/** A user as login shows them. */
export interface LoginUser {
  readonly id: string;
  readonly email: string;
  readonly displayName: string | null;
  readonly avatar: string | null;
}

/** What one service is to a user, in short. */
export interface ServiceSummary {
  readonly service: string;
  readonly tier: string;
  readonly isPremium: boolean;
  readonly connected: boolean;
}

export interface LoginAnswer {
  readonly user: LoginUser;
  readonly token: string;
  readonly refreshToken: string;
  readonly services: readonly ServiceSummary[];
  readonly banned: boolean;
  readonly disabled: boolean;
}

export const loginUser = ({ id, email, displayName, avatar }: Account): LoginUser => ({
  id,
  email,
  displayName,
  avatar,
});

/** Begins a session for an account whose owner has proved who they are. */
export const makeOpenSession = (kit: Kit) => {
  const { clock, digest, newId, policy, sessions, tokens } = kit;

  return async (account: Account, caller: Caller): Promise<LoginAnswer> => {
    const now = clock.now();
    const sessionId = newId();
    const refreshToken = newRefreshToken(kit, account.id, sessionId);
    const endsAt = now + policy.sessionLife;
    const session: Session = {
      id: sessionId,
      userId: account.id,
      epoch: account.sessionEpoch,
      refreshDigest: digest.sha256(refreshToken),
      previousDigest: null,
      rotatedAt: null,
      earlierRotatedAt: null,
      refreshExpiresAt: Math.min(now + policy.refreshTokenLife, endsAt),
      endsAt,
      createdAt: now,
      lastUsedAt: now,
      userAgent: caller.userAgent?.slice(0, 256) ?? null,
      address: caller.address,
      endedAt: null,
    };
    const subject = { userId: account.id, sessionId, tokenId: newId() };
    const [token] = await Promise.all([
      tokens.issue(subject, now, policy.accessTokenSeconds),
      sessions.add(session, policy.sessionsPerUser),
    ]);
    return {
      user: loginUser(account),
      token,
      refreshToken,
      services: account.entitlements.map((entitlement) => ({
        service: entitlement.service,
        ...effectiveAccess(entitlement, policy.selfEntitlement),
        connected: entitlement.connected,
      })),
      banned: isBanned(account, now),
      disabled: isDisabled(account, now),
    };
  };
};
