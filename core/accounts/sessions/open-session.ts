import { type Account, isBanned, isDisabled } from '../account.ts';
import { consoleRefusal } from '../authority.ts';
import type { Decision } from '../change-account.ts';
import { effectiveAccess } from '../entitlement.ts';
import { restricted, wrongCredentials } from '../errors.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import type { Method, Session } from '../session.ts';
import { cookieSessionsOff, inCookie, type Kept, makeCookieValue } from './cookie.ts';
import { newSecret } from './marked-secret.ts';

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

export interface LoginAnswer extends Kept {
  readonly user: LoginUser;
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
  /** When they proved it, epoch milliseconds; now when absent. */
  readonly authenticatedAt?: number;
  /** Of the session that begins; a new one when absent. */
  readonly sessionId?: string;
}

/** The answer of a login, and the factors that were used. */
export interface Opened {
  readonly answer: LoginAnswer;
  readonly methods: readonly Method[];
}

interface Begun {
  readonly session: Session;
  readonly kept: Kept;
}

/** What both kinds of sessions begin with. */
type Beginning = Omit<Session, 'refreshDigest' | 'cookie'>;

/** A write that is started together with that of the session, so that both share a commit. */
type Beside = () => Promise<void>;

/** Undefined if the account was deleted, or its sessions were ended, since it was read. */
const makeBegin = (kit: Kit) => {
  const { clock, digest, idAt, newId, policy, sessions, tokens } = kit;

  const keepInCookie = (session: Beginning): Begun => {
    if (!policy.cookieSessions && session.kind === undefined) throw cookieSessionsOff();
    const { cookie, given } = makeCookieValue(kit, session, session.createdAt, null);
    return { session: { ...session, refreshDigest: null, cookie }, kept: inCookie(given) };
  };

  const keepInTokens = async (session: Beginning): Promise<Begun> => {
    const { id, userId, createdAt } = session;
    const refreshToken = newSecret(kit, 'refresh-mark', userId, id);
    const subject = { userId, sessionId: id, tokenId: idAt(createdAt) };
    const token = await tokens.issue(subject, createdAt, policy.accessTokenSeconds);
    return {
      session: { ...session, refreshDigest: digest.sha256(refreshToken) },
      kept: { token, refreshToken },
    };
  };

  return async (given: LetIn, caller: Caller, beside: Beside | undefined): Promise<Begun | undefined> => {
    const now = clock.now();
    const { account, methods, authenticatedAt = now, sessionId = newId() } = given;
    const isConsole = caller.session === 'console';
    const endsAt = now + (isConsole ? policy.consoleLife : policy.sessionLife);
    const idle = isConsole ? policy.consoleIdle : policy.refreshTokenLife;
    const session: Beginning = {
      id: sessionId,
      userId: account.id,
      epoch: account.sessionEpoch,
      usedTokens: [],
      tokensFrom: null,
      refreshExpiresAt: Math.min(now + idle, endsAt),
      endsAt,
      createdAt: now,
      lastUsedAt: now,
      authenticatedAt,
      methods,
      userAgent: caller.userAgent?.slice(0, 256) ?? null,
      address: caller.address,
      endedAt: null,
      ...(isConsole && { kind: 'console' }),
    };
    const begun = caller.session === undefined ? await keepInTokens(session) : keepInCookie(session);
    // Its failure is met by who awaits it; here it must not be one that nobody handles.
    beside?.().catch(() => undefined);
    return (await sessions.add(begun.session, policy.sessionsPerUser)) ? begun : undefined;
  };
};

/**
 * Lets the owner of an account in: turns a decision to do so into one that has started the session. The session is
 * written before the account, so no code is spent on a login that fails; until the account is written nobody has the
 * session's tokens. Refuses with `wrong_credentials` if the account is deleted, or its sessions end, meanwhile.
 */
export const makeLetIn = (kit: Kit) => {
  const { clock, log, policy, sessions } = kit;
  const begin = makeBegin(kit);

  const answerOf = (account: Account, { kept }: Begun): LoginAnswer => {
    const now = clock.now();
    return {
      user: loginUser(account),
      ...kept,
      services: account.entitlements.map((entitlement) => ({
        service: entitlement.service,
        ...effectiveAccess(entitlement, policy.selfEntitlement),
        connected: entitlement.connected,
      })),
      banned: isBanned(account, now),
      disabled: isDisabled(account, now),
    };
  };

  return async (decision: Decision<LetIn>, caller: Caller, beside?: Beside): Promise<Decision<Opened>> => {
    if ('refuse' in decision) return decision;
    const { account, methods } = decision.answer;
    if (caller.session === 'console') {
      const reason = consoleRefusal(account, clock.now());
      if (reason !== undefined) {
        log.info('access.refused', { userId: account.id, reason, ...calledFrom(caller) });
        // What was proved with is spent all the same.
        return { next: decision.next, refuse: restricted(reason) };
      }
    }
    const begun = await begin(decision.answer, caller, beside);
    if (begun === undefined) return { next: null, refuse: wrongCredentials() };
    return {
      next: decision.next,
      answer: { answer: answerOf(account, begun), methods },
      undo: () => sessions.remove(begun.session.userId, begun.session.id),
    };
  };
};
