import type { AccessTokenClaims } from '../../access-token.ts';
import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { invalidToken } from '../errors.ts';
import type { SessionWithAccount } from '../ports.ts';
import type { Principal, SentCookie } from '../principal.ts';
import { awaitsRenewal, expiryOf, isLive, type Session, timeSince } from '../session.ts';
import { checkStatus, isConsistent, type RequiredStatus, readFromStores } from './authenticate.ts';
import { hasLiveParent } from './parent-session.ts';
import { cookieReplaced, cookieState, noteUse } from './session-cookie.ts';
import { hasValidMac, macOf, readSecret } from './session-secret.ts';

/** The session and account behind a cookie's value. */
export interface CookieOwner extends SessionWithAccount {
  readonly claims: AccessTokenClaims;
  readonly cookie: SentCookie;
}

/**
 * Reads the session and account behind a cookie value: of a console session if `kind` is given, else of another one. Throws
 * `unauthenticated`: `cookie_replaced` for an earlier value that is no longer valid, if the cookie got a newer value a moment
 * ago or is about to get one; `invalid_token` for any other value that is not valid.
 */
export const makeReadCookie = (deps: Deps, kind?: Session['kind']) => {
  const { clock, digest, policy, presences, sessions } = deps;

  // The console reads the store for each request, so that a dismissed operator loses access at once.
  const find = (userId: string, id: string) =>
    kind === 'console' ? sessions.findWithAccount(userId, id) : presences.find(userId, id);
  const isOn = policy.cookieSessions || kind === 'console';

  /** Session and account with the state of the value; undefined if the value is not valid for the session. */
  const checkValue = (owner: SessionWithAccount | undefined, valueDigest: string, now: number) => {
    if (owner?.session.cookie === undefined || owner.session.kind !== kind) return undefined;
    if (!isConsistent(owner) || !isLive(owner.session, owner.account, now)) return undefined;
    const { cookie } = owner.session;
    const state = cookieState(cookie, valueDigest, policy, now);
    return state && { ...owner, sentCookie: { changedAt: cookie.changedAt, isFormer: state === 'former' } };
  };

  const wasJustReplaced = ({ session, account }: SessionWithAccount, now: number): boolean => {
    const isRecent = (time: number) => timeSince(time, now) <= policy.formerCookieLife;
    if (session.kind !== kind) return false;
    // A change of the account has voided the value, and the session is not live until it gets its new one.
    if (awaitsRenewal(session, account)) return isRecent(account.updatedAt);
    return (
      isLive(session, account, now) && session.cookie !== undefined && isRecent(session.cookie.changedAt)
    );
  };

  return async (value: string, caller?: Caller): Promise<CookieOwner> => {
    const ids = readSecret(value);
    if (ids === undefined || !isOn) throw invalidToken();
    const now = clock.now();
    const valueDigest = digest.sha256(value);
    const cached = await find(ids.userId, ids.sessionId);
    let owner = checkValue(cached, valueDigest, now);
    // The cached session may be older than the value. Values without a valid MAC cost no second read.
    if (owner === undefined && cached !== undefined && hasValidMac(digest, 'cookie-mark', value)) {
      const stored = await readFromStores(deps, cached);
      owner = checkValue(stored, valueDigest, now);
      if (owner === undefined && stored !== undefined && wasJustReplaced(stored, now)) throw cookieReplaced();
    }
    if (owner === undefined) throw invalidToken();
    const { session, account, sentCookie } = owner;
    if (!(await hasLiveParent(deps, session, account))) throw invalidToken();
    const dueWrite = noteUse(deps, session, caller, now);
    if (dueWrite !== undefined) await dueWrite;
    const claims = {
      userId: session.userId,
      sessionId: session.id,
      tokenId: macOf(value),
      issuedAt: Math.floor(sentCookie.changedAt / 1000),
      expiresAt: Math.floor(expiryOf(session) / 1000),
    };
    return { session, account, claims, cookie: sentCookie };
  };
};

/** Like `authenticate`, by the value of a session's cookie. */
export const makeAuthenticateCookie = (deps: Deps) => {
  const readCookie = makeReadCookie(deps);

  return async (
    value: string,
    requiredStatus: RequiredStatus = 'active',
    caller?: Caller,
  ): Promise<Principal> => checkStatus(deps, await readCookie(value, caller), requiredStatus, caller);
};
