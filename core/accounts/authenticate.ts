import { type Account, isBanned, isDisabled } from './account.ts';
import { invalidToken, restricted } from './errors.ts';
import type { Kit } from './kit.ts';
import { type Caller, calledFrom } from './needs.ts';
import type { AccessTokenClaims } from './ports.ts';
import { isLive, type Session } from './session.ts';

/** Who is behind an access token, as the store has it now. */
export interface Identity {
  readonly account: Account;
  readonly session: Session;
  readonly claims: AccessTokenClaims;
}

/** The token's owner and session, undefined when the token or its session is no longer good. */
export const makeReadToken = ({ accounts, clock, sessions, tokens }: Kit) => {
  return async (token: string): Promise<Identity | undefined> => {
    const now = clock.now();
    const claims = await tokens.verify(token, now);
    if (claims === undefined) return undefined;
    const [session, account] = await Promise.all([
      sessions.find(claims.userId, claims.sessionId),
      accounts.find(claims.userId),
    ]);
    if (session === undefined || account === undefined || !isLive(session, account, now)) return undefined;
    return { account, session, claims };
  };
};

/**
 * Who is calling. Throws `unauthenticated` (`invalid_token`), and unless `restrictedToo`, `forbidden`
 * (`account_banned`, `account_disabled`): such a session may only read itself, log out and delete the account.
 */
export const makeAuthenticate = (kit: Kit) => {
  const { clock, log } = kit;
  const readToken = makeReadToken(kit);

  return async (token: string, restrictedToo = false, caller?: Caller): Promise<Identity> => {
    const identity = await readToken(token);
    if (identity === undefined) throw invalidToken();
    if (restrictedToo) return identity;
    const refuse = (reason: 'account_banned' | 'account_disabled') => {
      log.info('access.refused', { userId: identity.account.id, reason, ...(caller && calledFrom(caller)) });
      return restricted(reason);
    };
    const now = clock.now();
    if (isBanned(identity.account, now)) throw refuse('account_banned');
    if (isDisabled(identity.account, now)) throw refuse('account_disabled');
    return identity;
  };
};
