import type { Fields } from '../../core/import-lines.ts';
import { convertFirebaseHash, type HashConfig } from './hashes.ts';
import { isYes, listOf, othersOf, textOf } from './parse-field-values.ts';
import { oauthOf } from './provider-names.ts';
import type { DescribedUser, LinePassword } from './user-to-import-line.ts';

const KNOWN_FIELDS = [
  'localId',
  'email',
  'emailVerified',
  'passwordHash',
  'salt',
  'displayName',
  'photoUrl',
  'createdAt',
  'lastSignedInAt',
  'lastLoginAt',
  'disabled',
  'providerUserInfo',
  'version',
  'passwordUpdatedAt',
  'validSince',
  'lastRefreshAt',
];

/** Entries of `providerUserInfo` that are no sign-in providers. */
const NO_PROVIDERS = ['password', 'phone'];

const NO_CONFIG: LinePassword = { lost: 'It has a password, which needs --hash-config.' };

/** A user of `firebase auth:export`. */
export const makeDescribeFirebase =
  (config: HashConfig | undefined) =>
  (user: Fields): DescribedUser => {
    const hash = textOf(user.passwordHash);
    const readHash = () => (config === undefined ? NO_CONFIG : convertFirebaseHash(config, user.salt, hash));
    return {
      email: textOf(user.email),
      isVerified: isYes(user.emailVerified),
      name: textOf(user.displayName),
      password: hash === undefined ? null : readHash(),
      avatar: user.photoUrl,
      oauthAccounts: listOf(user.providerUserInfo)
        .filter(({ providerId }) => !NO_PROVIDERS.includes(textOf(providerId) ?? ''))
        .flatMap(({ providerId, rawId, email }) => oauthOf(providerId, rawId, { email })),
      disabled: isYes(user.disabled) ? { reason: 'Disabled in Firebase.' } : undefined,
      createdAt: user.createdAt,
      leftOut: othersOf(user, KNOWN_FIELDS),
    };
  };
