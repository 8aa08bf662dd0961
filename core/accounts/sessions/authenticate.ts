import type { AccessTokenClaims } from '../../access-token.ts';
import { restrictionOf } from '../account.ts';
import type { Caller } from '../caller.ts';
import { mayHaveDomain } from '../custom-domain/domain-rules.ts';
import type { Deps } from '../deps.ts';
import { invalidToken, refuseAccess } from '../errors.ts';
import { operatorRefusal } from '../operators.ts';
import type { SessionWithAccount } from '../ports.ts';
import { type Principal, type SentCookie, userOf, userSessionOf } from '../principal.ts';
import { awaitsRenewal, expiryOf, isLive, isReplaced, type Session, timeSince } from '../session.ts';
import { hasLiveParent } from './parent-session.ts';
import { cookieReplaced, cookieState, noteUse } from './session-cookie.ts';
import { hasValidMac, macOf, readSecret } from './session-secret.ts';

/** False if a password change, which writes the account and then the session, came between the two reads or is half written. */
const isConsistent = ({ session, account }: SessionWithAccount): boolean =>
  session.epoch <= account.sessionEpoch && !awaitsRenewal(session, account);

/** Reads a session and its account again from the stores: the cached pair may come from before or between two writes. */
const readFromStores = async (
  { accounts, sessions }: Pick<Deps, 'accounts' | 'sessions'>,
  { session: { userId, id } }: SessionWithAccount,
): Promise<SessionWithAccount | undefined> => {
  const account = await accounts.find(userId);
  const session = await sessions.find(userId, id);
  return account && session && { account, session };
};

/** The session and account behind an access token. */
interface TokenOwner extends SessionWithAccount {
  readonly claims: AccessTokenClaims;
}

/** Reads the session and account of an access token; undefined when the token or its session is no longer valid. */
export const readToken = async (deps: Deps, token: string): Promise<TokenOwner | undefined> => {
  const { clock, sessionCache, tokens } = deps;
  const now = clock.now();
  const claims = await tokens.verify(token, now);
  if (claims === undefined) return undefined;
  const cached = await sessionCache.find(claims.userId, claims.sessionId);
  const owner = cached === undefined || isConsistent(cached) ? cached : await readFromStores(deps, cached);
  if (owner === undefined || !isLive(owner.session, owner.account, now)) return undefined;
  if (isReplaced(owner.session, claims.tokenId)) return undefined;
  // An app's session ends with the session that authorized the app.
  if (!(await hasLiveParent(deps, owner.session, owner.account))) return undefined;
  return { ...owner, claims };
};

/**
 * The status that a call requires. `any`: signed in. `active`: also neither banned nor disabled. `operator`: an active
 * operator, with a second factor if the policy requires it. `enterprise`: an active user of the enterprise tier.
 */
export type RequiredStatus = 'any' | 'active' | 'operator' | 'enterprise';

/** Checks that the session's owner has the required status, and returns them as a principal. */
const checkStatus = (
  { clock, log, policy }: Deps,
  owner: TokenOwner & { readonly cookie?: SentCookie },
  requiredStatus: RequiredStatus,
  caller: Caller | undefined,
): Principal => {
  const { account, session, claims, cookie } = owner;
  const principal: Principal = {
    user: userOf(account),
    session: userSessionOf(session),
    claims,
    ...(cookie && { cookie }),
  };
  if (requiredStatus === 'any') return principal;
  const now = clock.now();
  const reason =
    requiredStatus === 'operator'
      ? operatorRefusal(principal.user, policy, now)
      : restrictionOf(account, now);
  if (reason !== undefined) throw refuseAccess(log, account.id, reason, caller);
  if (requiredStatus === 'enterprise' && !mayHaveDomain(principal.user, policy))
    throw refuseAccess(log, account.id, 'enterprise_only', caller);
  return principal;
};

/** Banned and disabled users may still read the account, sign out and delete it. Those calls pass `any`. */
export const makeAuthenticate =
  (deps: Deps) =>
  async (token: string, requiredStatus: RequiredStatus = 'active', caller?: Caller): Promise<Principal> => {
    const owner = await readToken(deps, token);
    // A token that was issued for another service is not valid here (RFC 9068 section 4).
    if (owner === undefined || owner.claims.audience !== undefined) throw invalidToken();
    return checkStatus(deps, owner, requiredStatus, caller);
  };

/** The session and account behind a cookie's value. */
export interface CookieOwner extends SessionWithAccount {
  readonly claims: AccessTokenClaims;
  readonly cookie: SentCookie;
}

/**
 * Reads the session and account behind a cookie value: of a console session if `kind` is given, else of another one. Throws
 * `unauthenticated` for a value that is not valid: `cookie_replaced` if the cookie is just getting a new value, or got it a
 * moment ago, else `invalid_token`.
 */
export const makeReadCookie = (deps: Deps, kind?: Session['kind']) => {
  const { clock, digest, policy, sessionCache, sessions } = deps;

  // The console reads the store for each request, so that a dismissed operator loses access at once.
  const find = (userId: string, id: string) =>
    kind === 'console' ? sessions.findWithAccount(userId, id) : sessionCache.find(userId, id);
  const acceptsCookies = policy.cookieSessions || kind === 'console';

  /** Session and account with the state of the value; undefined if the value is not valid for the session. */
  const checkValue = (owner: SessionWithAccount | undefined, valueDigest: string, now: number) => {
    if (owner?.session.cookie === undefined || owner.session.kind !== kind) return undefined;
    if (!isConsistent(owner) || !isLive(owner.session, owner.account, now)) return undefined;
    const { cookie } = owner.session;
    const state = cookieState(cookie, valueDigest, policy, now);
    return state && { ...owner, sentCookie: { changedAt: cookie.changedAt, isFormer: state === 'former' } };
  };

  const wasJustReplaced = ({ session, account }: SessionWithAccount, now: number): boolean => {
    const isRecent = (time: number) => timeSince(time, now) <= policy.formerCookieLifeMs;
    if (session.kind !== kind) return false;
    // A change of the account has voided the value, and the session is not live until it gets its new one.
    if (awaitsRenewal(session, account)) return isRecent(account.updatedAt);
    return (
      isLive(session, account, now) && session.cookie !== undefined && isRecent(session.cookie.changedAt)
    );
  };

  return async (value: string, caller?: Caller): Promise<CookieOwner> => {
    const ids = readSecret(value);
    if (ids === undefined || !acceptsCookies) throw invalidToken();
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
