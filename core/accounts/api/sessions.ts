import type { HandOver, HandoverCode } from '../handover/give.ts';
import type { RedeemHandover } from '../handover/redeem.ts';
import type { Identity } from '../identity.ts';
import type { Caller } from '../needs.ts';
import type { Standing } from '../sessions/authenticate.ts';
import type { Introspect, Introspection } from '../sessions/introspect.ts';
import type { SessionView } from '../sessions/list-and-end.ts';
import type { LoginAnswer } from '../sessions/open-session.ts';
import type { Refresh, RefreshAnswer } from '../sessions/refresh.ts';

/** Tokens, and the sessions behind them. */
export interface Sessions {
  /**
   * Tells who calls, by an access token. User and session are as the store has them now, so a ban or a logout counts at
   * once. Throws `unauthenticated` (`invalid_token`) and, unless `standing` is `any`, `forbidden` (`account_banned`,
   * `account_disabled`, `operators_only`, `second_factor_required`, `enterprise_only`).
   */
  authenticate(token: string, standing?: Standing, caller?: Caller): Promise<Identity>;
  /**
   * The same by the value of a session's cookie. Throws besides `unauthenticated` (`cookie_replaced`) for a value that was
   * replaced a moment ago: the browser has the newer one by now, so this one must not be cleared.
   */
  authenticateCookie(value: string, standing?: Standing, caller?: Caller): Promise<Identity>;
  /**
   * Gives the caller behind a cookie an access token for other services. Throws `forbidden` (`cookie_needed`) for a caller
   * behind an access token, `unauthenticated` (`invalid_token`, `cookie_replaced`) where the session ended or a change of the
   * password replaced the cookie meanwhile.
   */
  issueAccessToken(who: Identity): Promise<{ readonly token: string }>;
  /** Tells another service whether an access token, or a cookie's value, is good now, and for whom. RFC 7662. */
  introspect(input: Introspect): Promise<Introspection>;
  /**
   * Exchanges a refresh token for a new pair. If requests use one token at once, one succeeds. A token that was used
   * before the last 10 seconds ends its session. Throws `unauthenticated` (`invalid_refresh_token`). RFC 9700, section
   * 4.14.2.
   */
  refresh(input: Refresh, caller: Caller): Promise<RefreshAnswer>;
  /**
   * Gives the caller a code for an app of this product: good once, for a minute, with the verifier that only the app has.
   * Throws `invalid` (`invalid_return_to`, `invalid_challenge`) and `forbidden` (`account_banned`, `account_disabled`).
   */
  handOver(who: Identity, input: HandOver, caller: Caller): Promise<HandoverCode>;
  /**
   * Logs an app in by a code of `handOver`. The first use spends the code, and a second one ends the session of the first.
   * The session is as fresh as the one that gave the code. Throws `unauthenticated` (`invalid_code`) for whatever is
   * wrong, also when the password was changed or the giving session ended meanwhile. RFC 7636.
   */
  redeemHandover(input: RedeemHandover, caller: Caller): Promise<LoginAnswer>;
  /** The user's live sessions, the newest first. */
  listSessions(who: Identity): Promise<{ readonly sessions: readonly SessionView[] }>;
  /**
   * Ends one of the user's sessions. Any but the calling one needs a fresh proof (ASVS 5.0, 7.5.2). Throws `missing`
   * (`session_not_found`), also for another user's session, and `forbidden` (`fresh_authentication_needed`).
   */
  endSession(who: Identity, id: string, caller: Caller): Promise<{ readonly success: true }>;
  /** Ends the user's sessions except the calling one. Throws `forbidden` (`fresh_authentication_needed`). */
  endOtherSessions(who: Identity, caller: Caller): Promise<{ readonly success: true }>;
  /** Ends the calling session. A repetition changes nothing. */
  logOut(who: Identity, caller: Caller): Promise<{ readonly success: true }>;
  /** The JWK set that verifies access tokens. RFC 7517. */
  publicKeys(): Promise<{ readonly keys: readonly Readonly<Record<string, unknown>>[] }>;
}
