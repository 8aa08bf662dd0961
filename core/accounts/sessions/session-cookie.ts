import { CoreError } from '../../errors.ts';
import { text } from '../../schema.ts';
import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { restricted } from '../errors.ts';
import type { AccountsPolicy } from '../policy.ts';
import type { Principal } from '../principal.ts';
import { isOpen, type Proof, type Session, type SessionCookie, timeSince } from '../session.ts';
import { newSessionSecret } from './session-secret.ts';

export const ACCESS_TOKEN = text({
  description: 'The access token, a JWT: for `Authorization: Bearer`',
  examples: ['eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCIsImtpZCI6IjEifQ.eyJzdWIiOiIwMTk5YTBiMSJ9.c2lnbmF0dXJl'],
});

export const REFRESH_TOKEN = text({
  description: 'Valid once, for 30 days',
  examples: ['gr1.0199a0b1-5c3e-7d42-9f10-6b2c8e4a7d31.0199a0b1-77aa-7c01-8e55-2f1b9c3d4e5f.c2VjcmV0'],
});

/** The cookie that a server sets for a session. */
export interface NewCookie {
  readonly value: string;
  /** Whole seconds until the session's end. */
  readonly maxAge: number;
}

/** The secrets by which the client keeps the session. */
export interface SessionTokens {
  /** An access token; empty for a session in a cookie, like `refreshToken`. */
  readonly token: string;
  readonly refreshToken: string;
  /** Present only for a session in a cookie. */
  readonly cookie?: NewCookie;
}

/** Makes a cookie value and the part of it that the session stores. `previousDigest` stays valid a moment longer. */
export const makeCookieValue = (
  { digest, random }: Pick<Deps, 'digest' | 'random'>,
  { userId, id, endsAt }: Pick<Session, 'userId' | 'id' | 'endsAt'>,
  changedAt: number,
  previousDigest: string | null,
): { readonly cookie: SessionCookie; readonly newCookie: NewCookie } => {
  const value = newSessionSecret({ digest, random }, 'cookie-mark', userId, id);
  return {
    cookie: { digest: digest.sha256(value), previousDigest, changedAt },
    newCookie: { value, maxAge: Math.max(1, Math.floor((endsAt - changedAt) / 1000)) },
  };
};

/** The tokens of a session in a cookie: the cookie alone. */
export const tokensInCookie = (newCookie: NewCookie): SessionTokens => ({
  token: '',
  refreshToken: '',
  cookie: newCookie,
});

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

/** The refusal of a session in a cookie where the settings do not allow it. */
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
  { failing, policy, sessions }: Pick<Deps, 'failing' | 'policy' | 'sessions'>,
  session: Session,
  caller: Caller | undefined,
  now: number,
): Promise<unknown> | undefined => {
  const interval = session.kind === 'console' ? policy.consoleUseEvery : policy.cookieUseEvery;
  if (timeSince(session.lastUsedAt, now) < interval) return undefined;
  const next = usedSession(session, cookieUse(session, caller, policy, now));
  // If another write came in between, a later request finds the session unused and tries again.
  return (
    next &&
    sessions.change(session, next).catch((error: unknown) => {
      failing('use-cookie', session.userId, error);
    })
  );
};
