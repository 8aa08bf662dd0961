import type { Account, OAuthAccount } from '../account.ts';
import { acceptDisplayName } from '../display-name.ts';
import { type EntitlementView, type SelfEntitlement, viewEntitlement } from '../entitlement.ts';
import { invalidToken } from '../errors.ts';
import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';

/** The user as they see themselves. Times are ISO 8601. */
export interface Profile {
  readonly id: string;
  readonly email: string;
  readonly avatar: string | null;
  readonly displayName: string | null;
  readonly twoFactorEnabled: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly serviceAccess: readonly EntitlementView[];
  readonly oauthAccounts: readonly OAuthAccount[];
}

export interface UpdateProfile {
  readonly displayName: string | null;
}

const profileOf = (account: Account, self: SelfEntitlement): Profile => ({
  id: account.id,
  email: account.email,
  avatar: account.avatar,
  displayName: account.displayName,
  twoFactorEnabled: account.twoFactor !== null,
  createdAt: new Date(account.createdAt).toISOString(),
  updatedAt: new Date(account.updatedAt).toISOString(),
  serviceAccess: account.entitlements.map((one) => viewEntitlement(account.id, one, self)),
  oauthAccounts: account.oauthAccounts,
});

export const makeShowProfile =
  ({ policy }: Kit) =>
  ({ account }: Identity): { readonly user: Profile } => ({
    user: profileOf(account, policy.selfEntitlement),
  });

/** Sets or clears the display name. Throws `invalid` (`invalid_display_name`). */
export const makeUpdateProfile =
  ({ accounts, change, clock, policy }: Kit) =>
  async ({ account: { id } }: Identity, input: UpdateProfile): Promise<{ readonly user: Profile }> => {
    const displayName = acceptDisplayName(policy, input.displayName);
    return change(
      () => accounts.find(id),
      (account) => {
        if (account === undefined || account.deletedAt !== null)
          return { next: null, refuse: invalidToken() };
        const isSame = account.displayName === displayName;
        const next = isSame ? account : { ...account, displayName, updatedAt: clock.now() };
        return { next: isSame ? null : next, answer: { user: profileOf(next, policy.selfEntitlement) } };
      },
    );
  };
