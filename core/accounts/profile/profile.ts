import { TIME, USER_ID } from '../../answer-schemas.ts';
import { invalid } from '../../errors.ts';
import { isoTime } from '../../iso-times.ts';
import { describedAs, flag, list, nullable, object, oneOf, optional, type TypeOf } from '../../schema.ts';
import { AVATAR, oauthAccount } from '../account.ts';
import type { Deps } from '../deps.ts';
import { acceptDisplayName, DISPLAY_NAME, NEW_DISPLAY_NAME } from '../display-name.ts';
import { CANONICAL_EMAIL } from '../email.ts';
import { entitlementView, type SelfEntitlement, viewEntitlement } from '../entitlement.ts';
import { LANGUAGES, type Language, supportedLanguage } from '../mail/languages.ts';
import { type Principal, type User, userOf } from '../principal.ts';

const languageOf = (example: Language) =>
  oneOf(LANGUAGES, { description: 'Of mails to the user', examples: [example] });

const profile = object(
  {
    id: USER_ID,
    email: CANONICAL_EMAIL,
    avatar: AVATAR,
    displayName: DISPLAY_NAME,
    language: languageOf('en'),
    twoFactorEnabled: flag({ description: 'Whether a second factor is on', examples: [false] }),
    createdAt: TIME,
    updatedAt: TIME,
    serviceAccess: list(entitlementView),
    oauthAccounts: list(oauthAccount),
  },
  { title: 'Profile' },
);
/** The user as they see themselves. Times are ISO 8601. The language is that of mails to the user. */
export type Profile = TypeOf<typeof profile>;

export const profileAnswer = object({ user: profile }, { title: 'ProfileAnswer' });
export type ProfileAnswer = TypeOf<typeof profileAnswer>;

export const updateProfileInput = object({
  displayName: optional(nullable(describedAs(NEW_DISPLAY_NAME, 'At most 100 characters; null removes it'))),
  language: optional(languageOf('pl')),
});
/** Absent fields stay unchanged. The language is that of mails to the user. */
export type UpdateProfileInput = TypeOf<typeof updateProfileInput>;

const profileOf = (user: User, self: SelfEntitlement): Profile => ({
  id: user.id,
  email: user.email,
  avatar: user.avatar,
  displayName: user.displayName,
  language: supportedLanguage(user.language),
  twoFactorEnabled: user.hasTwoFactor,
  createdAt: isoTime(user.createdAt),
  updatedAt: isoTime(user.updatedAt),
  serviceAccess: user.entitlements.map((entitlement) => viewEntitlement(user.id, entitlement, self)),
  oauthAccounts: user.oauthAccounts,
});

export const makeShowProfile =
  ({ policy }: Pick<Deps, 'policy'>) =>
  ({ user }: Principal): ProfileAnswer => ({
    user: profileOf(user, policy.selfEntitlement),
  });

export const makeUpdateProfile =
  ({ changeUser, clock, policy }: Pick<Deps, 'changeUser' | 'clock' | 'policy'>) =>
  async ({ user: { id } }: Principal, input: UpdateProfileInput): Promise<ProfileAnswer> => {
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
