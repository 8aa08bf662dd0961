import { type Account, type LinkedIdentity, shownIdentity } from '../account.ts';
import type { Decision } from '../change-account.ts';
import { invalidToken } from '../errors.ts';
import type { Identity } from '../identity.ts';
import { withoutKeys } from '../keys/login-keys.ts';
import { lastMethodRefusal, opensBy } from '../keys/sign-in-methods.ts';
import type { Kit } from '../kit.ts';
import { type Caller, calledFrom } from '../needs.ts';
import { withPending } from '../pending.ts';
import { makeNeedFresh } from '../sessions/fresh.ts';
import { identityNotFound } from '../trips/errors.ts';
import { providerName } from './born.ts';
import type { Linked } from './link.ts';

/** One identity of an account. */
export interface IdentityName {
  readonly provider: string;
  readonly providerAccountId: string;
}

export const findIdentity = (
  { oauthAccounts }: Account,
  { provider, providerAccountId }: IdentityName,
): LinkedIdentity | undefined =>
  oauthAccounts.find((one) => one.provider === provider && one.providerAccountId === providerAccountId);

/** The account without an identity, whose key is freed once this is written. */
export const withoutIdentity = (
  { entries }: Pick<Kit, 'entries'>,
  account: Account,
  identity: LinkedIdentity,
): Account => {
  const oauthAccounts = account.oauthAccounts.filter((one) => one !== identity);
  return withoutKeys(
    entries,
    { ...account, oauthAccounts },
    identity.key === undefined ? [] : [identity.key],
  );
};

/** Removes an identity from the caller's account. It opens nothing from then on, and may be linked anywhere. */
export const makeUnlink = (kit: Kit) => {
  const { changeUser, clock, entries, log } = kit;
  const needFresh = makeNeedFresh(kit);

  return async (who: Identity, name: IdentityName, caller: Caller): Promise<Linked> => {
    await needFresh(who, caller);
    const account = await changeUser(who.user.id, (found): Decision<Account> => {
      if (found.sessionEpoch !== who.user.sessionEpoch) return { next: null, refuse: invalidToken() };
      const identity = findIdentity(found, name);
      if (identity === undefined) return { next: null, refuse: identityNotFound() };
      const now = clock.now();
      const without = { ...withoutIdentity(kit, found, identity), updatedAt: now };
      const last = opensBy(kit, found)(identity) ? lastMethodRefusal(kit, without) : undefined;
      if (last !== undefined) return { next: null, refuse: last };
      const next = withPending(
        without,
        entries.audit({
          action: 'identity.unlinked',
          actor: found.id,
          target: found.id,
          before: { provider: identity.provider },
          caller,
        }),
        entries.mail(found, 'identity-unlinked', {
          at: new Date(now).toISOString(),
          address: caller.address,
          provider: providerName(kit, identity.provider),
        }),
      );
      return { next, answer: next };
    });
    log.info('identity.unlinked', { userId: account.id, ...calledFrom(caller) });
    return { oauthAccounts: account.oauthAccounts.map(shownIdentity) };
  };
};
