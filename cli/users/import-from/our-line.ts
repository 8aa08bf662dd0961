import { isAddress } from '../../../core/accounts/operate/read-import.ts';
import type { BadLine } from '../../../core/import-lines.ts';
import { textOf, timeOf } from './values.ts';

/** A line of `users import`. */
export interface OurLine {
  readonly email: string;
  readonly emailVerified: boolean;
  readonly displayName?: string | undefined;
  readonly passwordHash?: string;
  readonly avatar?: string | undefined;
  readonly oauthAccounts?: readonly OurOAuthAccount[];
  readonly banned?: OurRestriction | undefined;
  readonly disabled?: OurRestriction | undefined;
  readonly createdAt?: string | undefined;
}

export interface OurOAuthAccount {
  readonly provider: string;
  readonly providerAccountId: string;
  readonly email?: string | undefined;
  readonly createdAt?: string | undefined;
}

export interface OurRestriction {
  readonly reason: string;
  readonly until?: string | undefined;
}

/** The hash as we store it; `lost`: there is one, but it cannot be verified here, and why; null: there is none. */
export type OurPassword = { readonly hash: string } | { readonly lost: string } | null;

/** What a product knows of a user, in our words. */
export interface Described {
  readonly email: string | undefined;
  readonly isVerified: boolean;
  readonly name: string | undefined;
  readonly password: OurPassword;
  /** An address, whatever it is like. */
  readonly avatar: unknown;
  readonly oauthAccounts: readonly OurOAuthAccount[];
  readonly banned?: OurRestriction | undefined;
  readonly disabled?: OurRestriction | undefined;
  readonly createdAt: unknown;
  /** What they have there and will not have here. */
  readonly leftOut: readonly string[];
}

export interface Turned {
  readonly line: OurLine;
  readonly leftOut: readonly string[];
}

const NO_EMAIL = 'It has no email, and users are known by their email here.';

/**
 * The line of a user. With `withoutPasswords` users come even where their password cannot; without it they do not, since a
 * later import, with the password, would find them there already.
 */
export const lineOf = (described: Described, withoutPasswords: boolean): Turned | BadLine => {
  const { email, isVerified, name, password, oauthAccounts, banned, disabled } = described;
  if (email === undefined) return { problem: NO_EMAIL };
  const isLost = password !== null && 'lost' in password;
  if (isLost && !withoutPasswords) return { problem: password.lost };
  const avatar = textOf(described.avatar);
  const createdAt = timeOf(described.createdAt);
  const isKept = avatar === undefined || isAddress(avatar);
  const isTimeLost = createdAt === undefined && textOf(described.createdAt) !== undefined;
  return {
    line: {
      email,
      emailVerified: isVerified,
      // A line end in a name would be refused as a control character.
      displayName: name?.replaceAll(/\s+/g, ' '),
      ...(password !== null && !isLost && { passwordHash: password.hash }),
      ...(isKept && { avatar }),
      ...(oauthAccounts.length > 0 && { oauthAccounts }),
      banned,
      disabled,
      createdAt,
    },
    leftOut: [
      ...described.leftOut,
      ...(isLost ? ['password'] : []),
      ...(isKept ? [] : ['avatar']),
      ...(isTimeLost ? ['createdAt'] : []),
    ],
  };
};

/** Names of sign-in providers in these products, and ours where they differ. */
const PROVIDERS: Readonly<Record<string, string>> = {
  'apple.com': 'apple',
  azure: 'microsoft',
  'facebook.com': 'facebook',
  'github.com': 'github',
  'google-oauth2': 'google',
  'google.com': 'google',
  'microsoft.com': 'microsoft',
  'twitter.com': 'twitter',
  windowslive: 'microsoft',
};

/** Nothing where provider or id is missing. */
export const oauthOf = (
  provider: unknown,
  id: unknown,
  more: { readonly email?: unknown; readonly createdAt?: unknown } = {},
): readonly OurOAuthAccount[] => {
  const [name, providerAccountId] = [textOf(provider), textOf(id)];
  if (name === undefined || providerAccountId === undefined) return [];
  return [
    {
      provider: PROVIDERS[name] ?? name,
      providerAccountId,
      email: textOf(more.email),
      createdAt: timeOf(more.createdAt),
    },
  ];
};
