import type { AccessTokenClaims } from '../../access-token.ts';
import { restrictionOf } from '../account.ts';
import type { Caller } from '../caller.ts';
import { mayHaveDomain } from '../custom-domain/domain-right.ts';
import type { Deps } from '../deps.ts';
import { invalidToken } from '../errors.ts';
import { operatorRefusal } from '../operators/authority.ts';
import type { SessionWithAccount } from '../ports.ts';
import { type Principal, type SentCookie, userOf, userSessionOf } from '../principal.ts';
import { refuseAccess } from '../refuse-access.ts';
import { awaitsRenewal, isLive, isReplaced } from '../session.ts';
import { hasLiveParent } from './parent-session.ts';

/** False if a password change, which writes the account and then the session, came between the two reads or is half written. */
export const isConsistent = ({ session, account }: SessionWithAccount): boolean =>
  session.epoch <= account.sessionEpoch && !awaitsRenewal(session, account);

/** Reads a session and its account again from the stores: the cached pair may come from before or between two writes. */
export const readFromStores = async (
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
  const { clock, presences, tokens } = deps;
  const now = clock.now();
  const claims = await tokens.verify(token, now);
  if (claims === undefined) return undefined;
  const cached = await presences.find(claims.userId, claims.sessionId);
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

/** Checks that the session's owner has the required status. */
export const checkStatus = (
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
