import { isAddress, isImportableName } from '../../core/accounts/admin/import-users.ts';
import type { BadLine } from '../../core/import-lines.ts';
import { textOf, timeOf } from './parse-field-values.ts';

export interface LineIdentity {
  readonly provider: string;
  readonly providerAccountId: string;
  readonly email?: string | undefined;
  /** A time in any form that the other product exports. */
  readonly createdAt?: unknown;
}

export interface DescribedBan {
  readonly reason: string;
  /** A time in any form that the other product exports. A ban without one is for good. */
  readonly until?: unknown;
}

/** The hash as we store it; `lost`: why the user's password cannot be imported; null: the user has no password. */
export type LinePassword = { readonly hash: string } | { readonly lost: string } | null;

/** The data of a user of another product, in one form for all of them. */
export interface DescribedUser {
  readonly email: string | undefined;
  readonly isVerified: boolean;
  readonly name: string | undefined;
  readonly password: LinePassword;
  /** An unchecked address. */
  readonly avatar: unknown;
  readonly oauthAccounts: readonly LineIdentity[];
  readonly banned?: DescribedBan | undefined;
  readonly disabled?: { readonly reason: string } | undefined;
  readonly createdAt: unknown;
  /** The fields that are lost in the import. */
  readonly leftOut: readonly string[];
}

export interface ConvertedUser {
  /** A line of `users import`. */
  readonly line: object;
  readonly leftOut: readonly string[];
}

/** Whether there is a time, but `read` does not accept it. */
const isUnreadable = (time: unknown, read: typeof timeOf): boolean =>
  read(time) === undefined && textOf(time) !== undefined;

/** A time from 1970 until now, as the import requires. A local time without its zone, taken for UTC, may be in the future. */
const pastTimeOf = (value: unknown): string | undefined => {
  const time = timeOf(value);
  const milliseconds = Date.parse(time ?? '');
  return milliseconds >= 0 && milliseconds <= Date.now() ? time : undefined;
};

const NO_EMAIL = 'It has no email; Gatehouse identifies users by their email.';

/**
 * Users whose password cannot be imported are imported only with `withoutPasswords`, since a later
 * import with the password would skip an existing user.
 */
export const lineOf = (described: DescribedUser, withoutPasswords: boolean): ConvertedUser | BadLine => {
  const { email, isVerified, password, oauthAccounts, banned, disabled } = described;
  if (email === undefined) return { problem: NO_EMAIL };
  const isPasswordLost = password !== null && 'lost' in password;
  if (isPasswordLost && !withoutPasswords) return { problem: password.lost };
  // The import refuses a line end in a name as a control character.
  const name = described.name?.replaceAll(/\s+/g, ' ');
  // Some products keep direction marks and halves of an emoji.
  const isNameLost = name !== undefined && !isImportableName(name);
  const avatar = textOf(described.avatar);
  const isAvatarLost = avatar !== undefined && !isAddress(avatar);
  return {
    line: {
      email,
      emailVerified: isVerified,
      ...(!isNameLost && { displayName: name }),
      ...(password !== null && !isPasswordLost && { passwordHash: password.hash }),
      ...(!isAvatarLost && { avatar }),
      ...(oauthAccounts.length > 0 && {
        oauthAccounts: oauthAccounts.map((identity) => ({
          ...identity,
          createdAt: pastTimeOf(identity.createdAt),
        })),
      }),
      banned: banned && { ...banned, until: timeOf(banned.until) },
      disabled,
      createdAt: pastTimeOf(described.createdAt),
    },
    leftOut: [
      ...described.leftOut,
      ...(isPasswordLost ? ['password'] : []),
      ...(isNameLost ? ['displayName'] : []),
      ...(isAvatarLost ? ['avatar'] : []),
      ...(isUnreadable(described.createdAt, pastTimeOf) ? ['createdAt'] : []),
      ...(isUnreadable(banned?.until, timeOf) ? ['banned.until'] : []),
      ...(oauthAccounts.some(({ createdAt }) => isUnreadable(createdAt, pastTimeOf))
        ? ['oauthAccounts.createdAt']
        : []),
    ],
  };
};
