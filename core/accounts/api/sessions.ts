import type { Success } from '../../answer-schemas.ts';
import type { AuthorizationCode, AuthorizeAppInput } from '../app-authorization/authorize-app.ts';
import type { RedeemAuthorizationCodeInput } from '../app-authorization/redeem-code.ts';
import type { Caller } from '../caller.ts';
import type { Principal } from '../principal.ts';
import type { RequiredStatus } from '../sessions/authenticate.ts';
import type { IntrospectInput, Introspection } from '../sessions/introspect.ts';
import type { IssueAccessTokenInput, JwkSet, SessionToken } from '../sessions/issue-access-token.ts';
import type { SessionList } from '../sessions/list-and-end.ts';
import type { SignInResult } from '../sessions/open-session.ts';
import type { RefreshInput, RefreshResult } from '../sessions/refresh.ts';

/** Tokens, and the sessions behind them. */
export interface Sessions {
  /**
   * Authenticates the caller by an access token, with the current user and session from the store, so that a ban or a
   * sign-out applies at once. Throws `unauthenticated` (`invalid_token`) and, unless `requiredStatus` is `any`,
   * `forbidden` (`account_banned`, `account_disabled`, `operators_only`, `second_factor_required`, `enterprise_only`).
   */
  authenticate(token: string, requiredStatus?: RequiredStatus, caller?: Caller): Promise<Principal>;
  /**
   * Like `authenticate`, by the value of a session cookie. Also throws `unauthenticated` (`cookie_replaced`) for a
   * value that was just replaced: the browser already has the newer cookie, which must not be cleared.
   */
  authenticateCookie(value: string, requiredStatus?: RequiredStatus, caller?: Caller): Promise<Principal>;
  /**
   * Issues an access token for other services to a caller with a cookie; a token for a single service is valid for that
   * service only. Throws `invalid` (`invalid_audience`) for an audience that is not configured, `forbidden`
   * (`cookie_needed`) for a caller with an access token, and `unauthenticated` (`invalid_token`, `cookie_replaced`) if
   * the session is of the console or ended, or a change of the password replaced the cookie meanwhile.
   */
  issueAccessToken(who: Principal, input?: IssueAccessTokenInput): Promise<SessionToken>;
  /** Tells another service whether an access token or a cookie value is valid, and for which user. RFC 7662. */
  introspect(input: IntrospectInput): Promise<Introspection>;
  /**
   * Exchanges a refresh token for a new pair. Of concurrent requests with one token, one succeeds. A token that is used
   * again more than 10 seconds after its first use may be stolen, and ends its session. Throws `unauthenticated`
   * (`invalid_refresh_token`). RFC 9700, section 4.14.2.
   */
  refresh(input: RefreshInput, caller: Caller): Promise<RefreshResult>;
  /**
   * Issues an authorization code for an app of this product: valid once, for a minute, with the app's PKCE verifier.
   * Throws `invalid` (`invalid_return_to`, `invalid_challenge`) and `forbidden` (`account_banned`, `account_disabled`, and
   * `cookie_needed` for any caller but a session of the pages with its cookie).
   */
  authorizeApp(who: Principal, input: AuthorizeAppInput, caller: Caller): Promise<AuthorizationCode>;
  /**
   * Signs an app in with a code of `authorizeApp`. The first use spends the code, and a second use ends the session of the
   * first. The new session inherits the authentication time of the issuing session. Throws `unauthenticated`
   * (`invalid_code`) for every reason, also if the password changed or the issuing session ended meanwhile. RFC 7636.
   */
  redeemAuthorizationCode(input: RedeemAuthorizationCodeInput, caller: Caller): Promise<SignInResult>;
  /** The user's live sessions, the newest first. */
  listSessions(who: Principal): Promise<SessionList>;
  /**
   * Ends one of the user's sessions. Any but the calling session needs a fresh authentication (ASVS 5.0, 7.5.2). Throws
   * `missing` (`session_not_found`), also for another user's session, and `forbidden` (`fresh_authentication_needed`).
   */
  endSession(who: Principal, id: string, caller: Caller): Promise<Success>;
  /** Ends the user's sessions except the calling session. Throws `forbidden` (`fresh_authentication_needed`). */
  endOtherSessions(who: Principal, caller: Caller): Promise<Success>;
  /** Ends the calling session. A repetition changes nothing. */
  logOut(who: Principal, caller: Caller): Promise<Success>;
  /** The JWK set that verifies access tokens. RFC 7517. */
  publicKeys(): Promise<JwkSet>;
}
