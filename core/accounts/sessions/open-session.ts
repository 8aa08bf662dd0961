import { type Account, isBanned, isDisabled } from '../account.ts';
import type { Decision } from '../change-account.ts';
import { effectiveAccess } from '../entitlement.ts';
import { wrongCredentials } from '../errors.ts';
import type { Kit } from '../kit.ts';
import type { Caller } from '../needs.ts';
import type { Method, Session } from '../session.ts';
import { newRefreshToken } from './refresh-token.ts';

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

/** An account whose owner has proved who they are, and how. */
export interface LetIn {
  readonly account: Account;
  readonly methods: readonly Method[];
}

interface Begun {
  readonly session: Session;
  readonly token: string;
  readonly refreshToken: string;
}

/** Undefined when the account went, or its sessions were ended, since it was read. */
const makeBegin = (kit: Kit) => {
  const { clock, digest, idAt, newId, policy, sessions, tokens } = kit;

  return async ({ account, methods }: LetIn, caller: Caller): Promise<Begun | undefined> => {
    const now = clock.now();
    const sessionId = newId();
    const refreshToken = newRefreshToken(kit, account.id, sessionId);
    const endsAt = now + policy.sessionLife;
    const session: Session = {
      id: sessionId,
      userId: account.id,
      epoch: account.sessionEpoch,
      refreshDigest: digest.sha256(refreshToken),
      usedTokens: [],
      tokensFrom: null,
      refreshExpiresAt: Math.min(now + policy.refreshTokenLife, endsAt),
      endsAt,
      createdAt: now,
      lastUsedAt: now,
      authenticatedAt: now,
      methods,
      userAgent: caller.userAgent?.slice(0, 256) ?? null,
      address: caller.address,
      endedAt: null,
    };
    const subject = { userId: account.id, sessionId, tokenId: idAt(now) };
    const token = await tokens.issue(subject, now, policy.accessTokenSeconds);
    const isAdded = await sessions.add(session, policy.sessionsPerUser);
    return isAdded ? { session, token, refreshToken } : undefined;
  };
};

/**
 * Changes an account as `decide` says, whose owner has proved who they are, and begins a session for what it answers.
 * The session is written before the account, so that no code is spent on a login that fails; until then nobody has its
 * tokens. Throws what `decide` refuses with, and `unauthenticated` (`wrong_credentials`) when the account goes
 * meanwhile.
 */
export const makeOpenSession = (kit: Kit) => {
  const { change, clock, policy, sessions } = kit;
  const begin = makeBegin(kit);

  return async (
    find: () => Promise<Account | undefined>,
    decide: (account: Account | undefined) => Promise<Decision<LetIn>>,
    caller: Caller,
  ): Promise<{ readonly answer: LoginAnswer; readonly methods: readonly Method[] }> => {
    let begun: Begun | undefined;
    const takeBack = async () => {
      if (begun !== undefined) await sessions.remove(begun.session.userId, begun.session.id);
      begun = undefined;
    };

    const open = async (): Promise<readonly [LetIn, Begun]> => {
      const letIn = await change(find, async (found) => {
        const decision = await decide(found);
        if ('refuse' in decision) return decision;
        const { id, sessionEpoch } = decision.answer.account;
        if (begun?.session.userId !== id || begun.session.epoch !== sessionEpoch) await takeBack();
        begun ??= await begin(decision.answer, caller);
        // A deletion that comes later ends this session, too.
        return begun === undefined ? { next: null, refuse: wrongCredentials() } : decision;
      });
      if (begun === undefined) throw new Error('An account was let in without a session.');
      return [letIn, begun];
    };

    const [{ account, methods }, { token, refreshToken }] = await open().catch(async (error: unknown) => {
      await takeBack().catch(() => undefined);
      throw error;
    });
    const now = clock.now();
    const answer = {
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
    return { answer, methods };
  };
};
