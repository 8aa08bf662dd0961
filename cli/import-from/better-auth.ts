import { isImportableReason } from '../../core/accounts/admin/import-users.ts';
import type { Fields } from '../../core/import-lines.ts';
import { convertHash } from './hashes.ts';
import { inCamelCase, isYes, listOf, othersOf, textOf } from './parse-field-values.ts';
import { oauthOf } from './provider-names.ts';
import type { DescribedUser } from './user-to-import-line.ts';

const KNOWN_FIELDS = [
  'id',
  '_id',
  'name',
  'email',
  'emailVerified',
  'image',
  'createdAt',
  'updatedAt',
  'accounts',
  'banned',
  'banReason',
  'banExpires',
];

/** The provider of an account row with a password. */
const PASSWORD = 'credential';

const BANNED = 'Banned in better-auth.';

/** The id by which rows of `account` name their user: `_id` in MongoDB. */
export const betterAuthId = (user: Fields): string | undefined => textOf(user.id ?? user._id);

export const betterAuthOwner = (account: Fields): string | undefined => textOf(inCamelCase(account).userId);

/** A row of `user` with its rows of `account`, which may be members of the row. */
export const describeBetterAuth = (row: Fields, accountRows: readonly Fields[]): DescribedUser => {
  const user = inCamelCase(row);
  const accounts = [...accountRows, ...listOf(user.accounts)].map(inCamelCase);
  const reason = textOf(user.banReason);
  const isReasonLost = reason !== undefined && !isImportableReason(reason);
  const importableReason = isReasonLost ? undefined : reason;
  const hash = textOf(accounts.find(({ providerId }) => providerId === PASSWORD)?.password);
  return {
    email: textOf(user.email),
    isVerified: isYes(user.emailVerified),
    name: textOf(user.name),
    password: hash === undefined ? null : convertHash(hash),
    avatar: user.image,
    oauthAccounts: accounts
      .filter(({ providerId }) => providerId !== PASSWORD)
      .flatMap(({ providerId, accountId, createdAt }) => oauthOf(providerId, accountId, { createdAt })),
    banned: isYes(user.banned) ? { reason: importableReason ?? BANNED, until: user.banExpires } : undefined,
    createdAt: user.createdAt,
    leftOut: [...othersOf(user, KNOWN_FIELDS), ...(isReasonLost ? ['banReason'] : [])],
  };
};
