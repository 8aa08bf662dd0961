import { CoreError } from '../../errors.ts';
import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { restricted } from '../errors.ts';
import type { AccountsPolicy } from '../policy.ts';
import type { Principal } from '../principal.ts';
import { isOpen, type Proof, type Session, type SessionCookie, timeSince } from '../session.ts';

/** Whether a value is the session's current cookie value, the former one while it is still valid, or neither. */
export const cookieState = (
  cookie: SessionCookie,
  valueDigest: string,
  { formerCookieLife }: AccountsPolicy,
  now: number,
): 'current' | 'former' | undefined => {
  if (cookie.digest === valueDigest) return 'current';
  const isFormer =
    cookie.previousDigest === valueDigest && timeSince(cookie.changedAt, now) <= formerCookieLife;
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
export const cookieUse = (
  { kind }: Session,
  caller: Caller | undefined,
  { consoleIdle, refreshTokenLife }: AccountsPolicy,
  now: number,
): CookieUse => ({
  now,
  refreshExpiresAt: now + (kind === 'console' ? consoleIdle : refreshTokenLife),
  ...(caller && {
    from: { address: caller.address, userAgent: caller.userAgent?.slice(0, 256) ?? null },
  }),
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
  const interval = session.kind === 'console' ? policy.consoleUseEvery : policy.cookieUseEvery;
  if (timeSince(session.lastUsedAt, now) < interval) return undefined;
  const next = usedSession(session, cookieUse(session, caller, policy, now));
  // If another write came in between, this one changes nothing: a later request tries again if that is still due.
  const change = next && sessions.change(session, next);
  return change?.catch((error: unknown) => logFailure('use-cookie', session.userId, error));
};
