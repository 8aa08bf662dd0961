import { orNull, record, TEXT } from '../../arguments.ts';
import type { OAuthAccount } from '../account.ts';
import { acceptDisplayName } from '../display-name.ts';
import { type EntitlementView, type SelfEntitlement, viewEntitlement } from '../entitlement.ts';
import { type Identity, type User, userOf } from '../identity.ts';
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

/** The same for callers without types. */
export const profileChanges = record<UpdateProfile>({ displayName: orNull(TEXT) });

const profileOf = (user: User, self: SelfEntitlement): Profile => ({
  id: user.id,
  email: user.email,
  avatar: user.avatar,
  displayName: user.displayName,
  twoFactorEnabled: user.hasTwoFactor,
  createdAt: new Date(user.createdAt).toISOString(),
  updatedAt: new Date(user.updatedAt).toISOString(),
  serviceAccess: user.entitlements.map((one) => viewEntitlement(user.id, one, self)),
  oauthAccounts: user.oauthAccounts,
});

export const makeShowProfile =
  ({ policy }: Pick<Kit, 'policy'>) =>
  ({ user }: Identity): { readonly user: Profile } => ({
    user: profileOf(user, policy.selfEntitlement),
  });

export const makeUpdateProfile =
  ({ changeUser, clock, policy }: Pick<Kit, 'changeUser' | 'clock' | 'policy'>) =>
  async ({ user: { id } }: Identity, input: UpdateProfile): Promise<{ readonly user: Profile }> => {
    const displayName = acceptDisplayName(policy, input.displayName);
    return changeUser(id, (account) => {
      const isSame = account.displayName === displayName;
      const next = isSame ? account : { ...account, displayName, updatedAt: clock.now() };
      return {
        next: isSame ? null : next,
        answer: { user: profileOf(userOf(next), policy.selfEntitlement) },
      };
    });
  };
