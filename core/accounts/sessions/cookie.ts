import { CoreError } from '../../errors.ts';
import { restricted } from '../errors.ts';
import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';
import type { AccountsPolicy } from '../policy.ts';
import { type Session, type SessionCookie, timeSince } from '../session.ts';
import { newSecret } from './marked-secret.ts';

/** What a server sets as the cookie of a session. */
export interface NewCookie {
  readonly value: string;
  /** Whole seconds until the session's end. */
  readonly maxAge: number;
}

/** How the client keeps the session from now on. */
export interface Kept {
  /** An access token; empty for a session in a cookie, like `refreshToken`. */
  readonly token: string;
  readonly refreshToken: string;
  /** There for a session in a cookie alone. */
  readonly cookie?: NewCookie;
}

/** A value for the cookie of a session, with what the session holds of it. `previousDigest` is good a moment longer. */
export const makeCookieValue = (
  { digest, random }: Pick<Kit, 'digest' | 'random'>,
  { userId, id, endsAt }: Pick<Session, 'userId' | 'id' | 'endsAt'>,
  changedAt: number,
  previousDigest: string | null,
): { readonly cookie: SessionCookie; readonly given: NewCookie } => {
  const value = newSecret({ digest, random }, 'cookie-mark', userId, id);
  return {
    cookie: { digest: digest.sha256(value), previousDigest, changedAt },
    given: { value, maxAge: Math.max(1, Math.floor((endsAt - changedAt) / 1000)) },
  };
};

/** What a caller has who has a session's cookie. */
export const inCookie = (given: NewCookie): Kept => ({ token: '', refreshToken: '', cookie: given });

/** What a value of our cookie is now: the current one, the one before that is still good, or neither. */
export const standingOf = (
  cookie: SessionCookie,
  presented: string,
  { formerCookieLife }: AccountsPolicy,
  now: number,
): 'current' | 'former' | undefined => {
  if (cookie.digest === presented) return 'current';
  const isFormer =
    cookie.previousDigest === presented && timeSince(cookie.changedAt, now) <= formerCookieLife;
  return isFormer ? 'former' : undefined;
};

/** The session goes on, by a newer value than was sent: the browser has that one by now, or is about to. */
export const cookieReplaced = () =>
  new CoreError('unauthenticated', 'cookie_replaced', 'The cookie has a newer value: send that one.');

/** Refuses an access token where the session's cookie is needed: the call gives it a new value. */
export const needCookie = ({ session, cookie }: Identity): void => {
  if (session.inCookie && cookie === undefined) throw restricted('cookie_needed');
};

/** A session may begin in a cookie only where that is on. Throws `invalid` (`cookie_sessions_off`). */
export const cookieSessionsOff = () =>
  new CoreError('invalid', 'cookie_sessions_off', 'Sessions in cookies are off: set COOKIE_SESSIONS=on.');
