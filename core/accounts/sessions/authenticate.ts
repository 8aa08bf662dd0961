import type { AccessTokenClaims } from '../../access-token.ts';
import { isBanned, isDisabled } from '../account.ts';
import { lacksSecondFactor } from '../authority.ts';
import { mayHaveDomain } from '../custom-domain/show.ts';
import { operatorRole } from '../entitlement.ts';
import { invalidToken, restricted } from '../errors.ts';
import { type Identity, type SentCookie, userOf, userSessionOf } from '../identity.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import type { Presence } from '../ports.ts';
import { awaitsRenewal, isLive, isReplaced } from '../session.ts';

/** Whether session and account are of one time: a change of the password writes the account first, then the session. */
export const isWhole = ({ session, account }: Presence): boolean =>
  session.epoch <= account.sessionEpoch && !awaitsRenewal(session, account);

/** Reads from the stores what was kept for a second, and may be from before, or between, two writes. */
export const makeReadAnew =
  ({ accounts, sessions }: Pick<Kit, 'accounts' | 'sessions'>) =>
  async ({ session: { userId, id } }: Presence): Promise<Presence | undefined> => {
    const account = await accounts.find(userId);
    const session = await sessions.find(userId, id);
    return account && session && { account, session };
  };

/** The session and account behind an access token, from the store. */
interface TokenOwner extends Presence {
  readonly claims: AccessTokenClaims;
}

/** The token's owner and session, undefined when the token or its session is no longer good. */
export const makeReadToken = (kit: Kit) => {
  const { clock, presences, tokens } = kit;
  const readAnew = makeReadAnew(kit);

  return async (token: string): Promise<TokenOwner | undefined> => {
    const now = clock.now();
    const claims = await tokens.verify(token, now);
    if (claims === undefined) return undefined;
    const found = await presences.find(claims.userId, claims.sessionId);
    const presence = found === undefined || isWhole(found) ? found : await readAnew(found);
    if (presence === undefined || !isLive(presence.session, presence.account, now)) return undefined;
    if (isReplaced(presence.session, claims.tokenId)) return undefined;
    return { ...presence, claims };
  };
};

/** What a caller must be: logged in at all, neither banned nor disabled, or also an operator or on the enterprise tier. */
export type Standing = 'any' | 'active' | 'operator' | 'enterprise';

/** Lets the owner of a session through who is what the caller must be. */
export const makeAdmit =
  ({ clock, log, policy }: Kit) =>
  (
    owner: TokenOwner & { readonly cookie?: SentCookie },
    standing: Standing,
    caller: Caller | undefined,
  ): Identity => {
    const { account, session, claims, cookie } = owner;
    const identity: Identity = {
      user: userOf(account),
      session: userSessionOf(session),
      claims,
      ...(cookie && { cookie }),
    };
    if (standing === 'any') return identity;
    const refuse = (reason: Parameters<typeof restricted>[0]) => {
      log.info('access.refused', { userId: account.id, reason, ...(caller && calledFrom(caller)) });
      return restricted(reason);
    };
    const now = clock.now();
    if (isBanned(account, now)) throw refuse('account_banned');
    if (isDisabled(account, now)) throw refuse('account_disabled');
    if (standing === 'operator') {
      if (operatorRole(account.entitlements) === undefined) throw refuse('operators_only');
      if (lacksSecondFactor(identity.user, policy)) throw refuse('second_factor_required');
    }
    if (standing === 'enterprise' && !mayHaveDomain(identity.user, policy)) throw refuse('enterprise_only');
    return identity;
  };

/** A banned or disabled user may still read the account, log out and delete it. Those calls pass `any`. */
export const makeAuthenticate = (kit: Kit) => {
  const readToken = makeReadToken(kit);
  const admit = makeAdmit(kit);

  return async (token: string, standing: Standing = 'active', caller?: Caller): Promise<Identity> => {
    const owner = await readToken(token);
    if (owner === undefined) throw invalidToken();
    return admit(owner, standing, caller);
  };
};
