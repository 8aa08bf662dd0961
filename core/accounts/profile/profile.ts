import { invalid } from '../../errors.ts';
import { nullable, object, oneOf, optional, TEXT } from '../../schema.ts';
import type { OAuthAccount } from '../account.ts';
import type { Deps } from '../deps.ts';
import { acceptDisplayName } from '../display-name.ts';
import { type EntitlementView, type SelfEntitlement, viewEntitlement } from '../entitlement.ts';
import { knownLanguage, type Language, languages } from '../mail/languages.ts';
import { type Principal, type User, userOf } from '../principal.ts';

/** The user as they see themselves. Times are ISO 8601. */
export interface Profile {
  readonly id: string;
  readonly email: string;
  readonly avatar: string | null;
  readonly displayName: string | null;
  /** The language of mails to the user. */
  readonly language: Language;
  readonly twoFactorEnabled: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly serviceAccess: readonly EntitlementView[];
  readonly oauthAccounts: readonly OAuthAccount[];
}

/** Absent fields stay unchanged. */
export interface UpdateProfileInput {
  readonly displayName?: string | null;
  /** The language of mails to the user. */
  readonly language?: Language;
}

/** Checks the input of callers without types. */
export const profileChanges = object({
  displayName: optional(nullable(TEXT)),
  language: optional(oneOf(Object.keys(languages))),
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
  serviceAccess: user.entitlements.map((entitlement) => viewEntitlement(user.id, entitlement, self)),
  oauthAccounts: user.oauthAccounts,
});

export const makeShowProfile =
  ({ policy }: Pick<Deps, 'policy'>) =>
  ({ user }: Principal): { readonly user: Profile } => ({
    user: profileOf(user, policy.selfEntitlement),
  });

export const makeUpdateProfile =
  ({ changeUser, clock, policy }: Pick<Deps, 'changeUser' | 'clock' | 'policy'>) =>
  async ({ user: { id } }: Principal, input: UpdateProfileInput): Promise<{ readonly user: Profile }> => {
    if (input.displayName === undefined && input.language === undefined)
      throw invalid('invalid_request', 'Provide displayName or language: there is nothing to change.');
    const newDisplayName =
      input.displayName === undefined ? undefined : acceptDisplayName(policy, input.displayName);
    return changeUser(id, (account) => {
      const displayName = newDisplayName === undefined ? account.displayName : newDisplayName;
      const language = input.language ?? account.language;
      const isSame = account.displayName === displayName && account.language === language;
      const next = isSame ? account : { ...account, displayName, language, updatedAt: clock.now() };
      return {
        next: isSame ? null : next,
        answer: { user: profileOf(userOf(next), policy.selfEntitlement) },
      };
    });
  };
