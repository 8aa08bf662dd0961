import { CoreError } from '../../errors.ts';
import { type Caller, clientOf } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { invalidToken, restricted } from '../errors.ts';
import { type AccountsPolicy, CLOCK_SET_BACK_MS } from '../policy.ts';
import type { Principal } from '../principal.ts';
import {
  isOpen,
  type Method,
  type Proof,
  provedSession,
  type Session,
  type SessionCookie,
  timeSince,
} from '../session.ts';
import { changeSession, type SessionDecision } from './change-session.ts';
import { makeCookieValue, type NewCookie } from './session-secret.ts';

/** Whether a value is the session's current cookie value, the former one while it is still valid, or neither. */
export const cookieState = (
  cookie: SessionCookie,
  valueDigest: string,
  { formerCookieLifeMs }: AccountsPolicy,
  now: number,
): 'current' | 'former' | undefined => {
  if (cookie.digest === valueDigest) return 'current';
  const isFormer =
    cookie.previousDigest === valueDigest && timeSince(cookie.changedAt, now) <= formerCookieLifeMs;
  return isFormer ? 'former' : undefined;
};

/** The session continues with a newer value, which the browser has received or is about to receive. */
export const cookieReplaced = () =>
  new CoreError('unauthenticated', 'cookie_replaced', 'The cookie has a newer value: send that one.');

/** Refuses an access token where the session is in a cookie: the call gives the cookie a new value. */
export const requireCookie = ({ session, cookie }: Principal): void => {
  if (session.inCookie && cookie === undefined) throw restricted('cookie_needed');
};

export const cookieSessionsOff = () =>
  new CoreError('invalid', 'cookie_sessions_off', 'Sessions in cookies are off: set COOKIE_SESSIONS=on.');

/** The use of a session in a cookie. */
export interface CookieUse {
  readonly now: number;
  readonly refreshExpiresAt: number;
  /** The client; absent if it is not known. */
  readonly from?: { readonly address: string; readonly userAgent: string | null };
  /** Further changes: a new value of the cookie, after a proof or a change of the account. */
  readonly change?: Partial<Proof & Pick<Session, 'cookie' | 'epoch' | 'tokensFrom'>>;
}

/** The session after the use. Undefined if it is not open, or not in a cookie. */
export const usedSession = (
  session: Session,
  { now, refreshExpiresAt, from, change }: CookieUse,
): Session | undefined =>
  session.cookie === undefined || !isOpen(session, now)
    ? undefined
    : { ...session, ...change, ...from, refreshExpiresAt, lastUsedAt: now };

/** The use of a session now, by the caller if that is known. */
const cookieUse = (
  { kind }: Session,
  caller: Caller | undefined,
  { consoleIdleMs, refreshTokenLifeMs }: AccountsPolicy,
  now: number,
): CookieUse => ({
  now,
  refreshExpiresAt: now + (kind === 'console' ? consoleIdleMs : refreshTokenLifeMs),
  ...(caller && { from: clientOf(caller) }),
});

/**
 * Writes now and then that a session is used, which postpones its idle end. A failed write refuses no request. Undefined
 * where no write is due.
 */
export const noteUse = (
  { logFailure, policy, sessions }: Pick<Deps, 'logFailure' | 'policy' | 'sessions'>,
  session: Session,
  caller: Caller | undefined,
  now: number,
): Promise<unknown> | undefined => {
  const interval = session.kind === 'console' ? policy.consoleUseEveryMs : policy.cookieUseEveryMs;
  if (timeSince(session.lastUsedAt, now) < interval) return undefined;
  const next = usedSession(session, cookieUse(session, caller, policy, now));
  // If another write came in between, this one changes nothing: a later request tries again if that is still due.
  const change = next && sessions.change(session, next);
  return change?.catch((error: unknown) => logFailure('use-cookie', session.userId, error));
};

/** A time later than the last change of the cookie's value, even if the clock was set back since. */
const laterThanLastChange = ({ cookie }: Session, now: number): number =>
  Math.max(now, (cookie?.changedAt ?? 0) + 1);

/**
 * The session with a new value of its cookie; undefined if it ended, or is not in a cookie. `previousDigest`: of the value
 * that stays valid a moment longer; null for none.
 */
const withNewValue = (
  deps: Deps,
  session: Session,
  previousDigest: string | null,
  sessionChange: Partial<Proof & Pick<Session, 'epoch' | 'tokensFrom'>>,
  caller: Caller,
): SessionDecision<{ readonly cookie: NewCookie }> | undefined => {
  const now = deps.clock.now();
  const changedAt = laterThanLastChange(session, now);
  const { cookie, newCookie } = makeCookieValue(deps, session, changedAt, previousDigest);
  const change = { ...sessionChange, cookie };
  const next = usedSession(session, { ...cookieUse(session, caller, deps.policy, now), change });
  return next && { next, answer: { cookie: newCookie } };
};

/**
 * Renews the cookie after a change of the account that voids its value. Access tokens issued before the change are void,
 * too. Throws `unauthenticated` (`invalid_token`) if the session ended meanwhile.
 */
export const renewCookie = async (
  deps: Deps,
  { user, session: { id } }: Principal,
  sessionVersion: number,
  caller: Caller,
): Promise<NewCookie> => {
  const renewal = await changeSession(deps, { userId: user.id, id }, (session) => {
    // Access tokens with a time before `tokensFrom` are void. The new `tokensFrom` has to be later than the time of every token
    // so far. Such a time is the former `tokensFrom`, or comes from a clock that may be ahead of ours by `CLOCK_SET_BACK_MS`.
    const latest = Math.max(laterThanLastChange(session, deps.clock.now()), session.tokensFrom ?? 0);
    const change = { epoch: sessionVersion, tokensFrom: latest + CLOCK_SET_BACK_MS };
    return withNewValue(deps, session, null, change, caller);
  });
  if (renewal === undefined) throw invalidToken();
  deps.tokens.forget(id);
  return renewal.cookie;
};

/** A proof that the caller's session now holds. */
export interface NotedProof {
  /** Epoch milliseconds. */
  readonly freshUntil: number;
  /** The new value of a cookie; absent where the session keeps its value. */
  readonly cookie?: NewCookie;
}

/**
 * Writes into the caller's session that its owner has just been authenticated again, and renews its cookie. Requests under
 * way may still use the former value. A caller whose value another proof has replaced meanwhile gets no new one: the
 * browser has received that of the other proof, or is about to. Throws `unauthenticated` (`invalid_token`) if the session
 * ended meanwhile.
 */
export const noteProof = async (
  deps: Deps,
  { user, session: { id }, cookie: sentCookie }: Principal,
  methods: readonly Method[],
  caller: Caller,
): Promise<NotedProof> => {
  const { clock, policy, tokens } = deps;
  const now = clock.now();
  const proof = { authenticatedAt: now, methods };
  const renewal = await changeSession<Pick<NotedProof, 'cookie'>>(
    deps,
    { userId: user.id, id },
    (session) => {
      const { cookie } = session;
      const sentCurrentValue = sentCookie?.isFormer === false && sentCookie.changedAt === cookie?.changedAt;
      if (cookie !== undefined && sentCurrentValue)
        return withNewValue(deps, session, cookie.digest, proof, caller);
      const next = provedSession(session, proof);
      return next && { next, answer: {} };
    },
  );
  if (renewal === undefined) throw invalidToken();
  if (renewal.cookie !== undefined) tokens.forget(id);
  return { freshUntil: now + policy.freshForMs, ...renewal };
};
