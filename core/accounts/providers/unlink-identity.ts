import { object, type TypeOf } from '../../schema.ts';
import { type Account, type LinkedIdentity, OAUTH_ACCOUNT, shownIdentity } from '../account.ts';
import { type Caller, calledFrom } from '../caller.ts';
import type { Decision } from '../change-account.ts';
import { withoutKeys } from '../claim-login-keys.ts';
import type { Deps } from '../deps.ts';
import { withPending } from '../outbox-entries.ts';
import { changeOwnAccount } from '../own-account.ts';
import type { Principal } from '../principal.ts';
import { requireFresh } from '../sessions/require-fresh.ts';
import { lastMethodRefusal, opensAccountBy } from '../sign-in-methods.ts';
import { identityNotFound } from './errors.ts';
import { providerName } from './identities.ts';
import type { LinkResult } from './link-identity.ts';

export const identityName = object({
  provider: OAUTH_ACCOUNT.provider,
  providerAccountId: OAUTH_ACCOUNT.providerAccountId,
});
/** One identity of an account. */
export type IdentityName = TypeOf<typeof identityName>;

export const findIdentity = (
  { oauthAccounts }: Account,
  { provider, providerAccountId }: IdentityName,
): LinkedIdentity | undefined =>
  oauthAccounts.find(
    (identity) => identity.provider === provider && identity.providerAccountId === providerAccountId,
  );

/** The account without the identity. Its login key, which an imported one lacks at first, is freed after the write. */
export const withoutIdentity = (
  { entries }: Pick<Deps, 'entries'>,
  account: Account,
  identity: LinkedIdentity,
): Account => {
  const oauthAccounts = account.oauthAccounts.filter((other) => other !== identity);
  const keys = identity.key === undefined ? [] : [identity.key];
  return withoutKeys(entries, { ...account, oauthAccounts }, keys);
};

/** Removes an identity from the caller's account. The identity opens nothing from then on, and any account may link it. */
export const makeUnlink = (deps: Deps) => {
  const { clock, entries, log } = deps;

  return async (principal: Principal, name: IdentityName, caller: Caller): Promise<LinkResult> => {
    const { provider } = name;
    await requireFresh(deps, principal, caller);
    const account = await changeOwnAccount(deps, principal, (current): Decision<Account> => {
      const identity = findIdentity(current, name);
      if (identity === undefined) return { next: null, refuse: identityNotFound() };
      const now = clock.now();
      const remaining = { ...withoutIdentity(deps, current, identity), updatedAt: now };
      // An identity that opens nothing, such as one of a former provider, may always be removed.
      const refuse = opensAccountBy(deps, current)(identity) ? lastMethodRefusal(deps, remaining) : undefined;
      if (refuse !== undefined) return { next: null, refuse };
      const next = withPending(
        remaining,
        entries.ownAudit(current.id, 'identity.unlinked', caller, { before: { provider } }),
        entries.notice(current, 'identity-unlinked', caller, { provider: providerName(deps, provider) }),
      );
      return { next, answer: next };
    });
    log.info('identity.unlinked', { userId: account.id, ...calledFrom(caller) });
    return { oauthAccounts: account.oauthAccounts.map(shownIdentity) };
  };
};
