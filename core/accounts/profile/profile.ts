import { oneOf, optional, orNull, record, TEXT } from '../../arguments.ts';
import { invalid } from '../../errors.ts';
import type { OAuthAccount } from '../account.ts';
import { acceptDisplayName } from '../display-name.ts';
import { type EntitlementView, type SelfEntitlement, viewEntitlement } from '../entitlement.ts';
import { type Identity, type User, userOf } from '../identity.ts';
import type { Kit } from '../kit.ts';
import { knownLanguage, type Language, languages } from '../mail/languages.ts';

/** The user as they see themselves. Times are ISO 8601. */
export interface Profile {
  readonly id: string;
  readonly email: string;
  readonly avatar: string | null;
  readonly displayName: string | null;
  /** Of mails to the user. */
  readonly language: Language;
  readonly twoFactorEnabled: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly serviceAccess: readonly EntitlementView[];
  readonly oauthAccounts: readonly OAuthAccount[];
}

/** What is absent stays as it is. */
export interface UpdateProfile {
  readonly displayName?: string | null;
  /** Of mails to the user. */
  readonly language?: Language;
}

/** The same for callers without types. */
export const profileChanges = record<UpdateProfile>({
  displayName: optional(orNull(TEXT)),
  language: optional(oneOf(...Object.keys(languages))),
});

const profileOf = (user: User, self: SelfEntitlement): Profile => ({
  id: user.id,
  email: user.email,
  avatar: user.avatar,
  displayName: user.displayName,
  language: knownLanguage(user.language),
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
    if (input.displayName === undefined && input.language === undefined)
      throw invalid('invalid_request', 'Give displayName or language: nothing is to be changed.');
    const given = input.displayName === undefined ? undefined : acceptDisplayName(policy, input.displayName);
    return changeUser(id, (account) => {
      const displayName = given === undefined ? account.displayName : given;
      const language = input.language ?? account.language;
      const isSame = account.displayName === displayName && account.language === language;
      const next = isSame ? account : { ...account, displayName, language, updatedAt: clock.now() };
      return {
        next: isSame ? null : next,
        answer: { user: profileOf(userOf(next), policy.selfEntitlement) },
      };
    });
  };
