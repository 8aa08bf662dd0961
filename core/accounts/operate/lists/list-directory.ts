import { invalidCursor, makeCursor, makeTextCursor } from '../../../cursor.ts';
import { invalid } from '../../../errors.ts';
import { type Account, isBanned, isDisabled, type Restriction } from '../../account.ts';
import type { DirectoryPlace, SearchFilter } from '../../directory.ts';
import { canonicalBeginning } from '../../email.ts';
import { type OperatorRole, operatorRole } from '../../entitlement.ts';
import type { Kit } from '../../kit.ts';

export const directoryFlags = [
  ...(['banned', 'disabled', 'unverified'] as const),
  ...(['two_factor', 'operator', 'premium'] as const),
];
/** What is to hold of the users of a list; restrictions that hold now. */
export type DirectoryFlag = (typeof directoryFlags)[number];

export interface ListDirectory {
  /** What the email begins with, at least two characters. The list is in the order of emails then, else newest first. */
  readonly prefix?: string;
  /** The tier in effect. */
  readonly tier?: string;
  readonly flag?: DirectoryFlag;
  /** From the answer before, which was to the same prefix. */
  readonly cursor?: string;
  /** At most `adminPageLongest`, and cut to it. */
  readonly limit?: number;
}

/** A restriction that holds; `until` is null for one without an end. */
interface Held {
  /** ISO 8601. */
  readonly until: string | null;
}

/** A user in the directory. */
export interface DirectoryUser {
  readonly id: string;
  readonly email: string;
  readonly displayName: string | null;
  readonly tier: string;
  readonly isPremium: boolean;
  readonly verified: boolean;
  readonly twoFactor: boolean;
  readonly banned: Held | null;
  readonly disabled: Held | null;
  readonly operator: OperatorRole | null;
  /** ISO 8601. */
  readonly createdAt: string;
}

export interface DirectoryPage {
  readonly users: readonly DirectoryUser[];
  /** There while more may follow. */
  readonly cursor?: string;
  /**
   * There when the search gave up, having looked at `listLooks` users: the email or, ISO 8601, the registration of the
   * last of them. The cursor goes on behind them.
   */
  readonly searchedTo?: string;
}

const SHORTEST_PREFIX = 2;

const held = (restriction: Restriction | null, holds: boolean): Held | null =>
  restriction !== null && holds
    ? { until: restriction.until === null ? null : new Date(restriction.until).toISOString() }
    : null;

const listed = (account: Account, now: number): DirectoryUser => ({
  id: account.id,
  email: account.email,
  displayName: account.displayName,
  tier: account.access.tier,
  isPremium: account.access.isPremium,
  verified: account.verified,
  twoFactor: account.twoFactor !== null,
  banned: held(account.banned, isBanned(account, now)),
  disabled: held(account.disabled, isDisabled(account, now)),
  operator: operatorRole(account.entitlements) ?? null,
  createdAt: new Date(account.createdAt).toISOString(),
});

/** A list of users for operators. It counts nothing, and reads no more than a page and one account. */
export const makeListDirectory = (kit: Kit) => {
  const { clock, digest, directory, domains, policy } = kit;
  const byTime = makeCursor(digest, 'directory');
  const byEmail = makeTextCursor(digest, 'directory-by-email');

  const writeCursor = (place: DirectoryPlace): string =>
    typeof place === 'string' ? byEmail.write(place) : byTime.write({ time: place.createdAt, id: place.id });

  const readCursor = (cursor: string, isByEmail: boolean): DirectoryPlace => {
    const place = isByEmail ? byEmail.read(cursor) : byTime.read(cursor);
    if (place === undefined) throw invalidCursor();
    return typeof place === 'string' ? place : { createdAt: place.time, id: place.id };
  };

  const beginningOf = (prefix: string): string => {
    const emailBegins = canonicalBeginning(domains, prefix);
    if (emailBegins.length < SHORTEST_PREFIX) {
      throw invalid(
        'invalid_prefix',
        `A beginning of emails must have at least ${SHORTEST_PREFIX} characters.`,
      );
    }
    return emailBegins;
  };

  const flags = (now: number): Record<DirectoryFlag, SearchFilter> => ({
    banned: { bannedAt: now },
    disabled: { disabledAt: now },
    unverified: { unverified: true },
    two_factor: { twoFactor: true },
    operator: { operator: true },
    premium: { premium: true },
  });

  return async ({ prefix, tier, flag, cursor, limit }: ListDirectory): Promise<DirectoryPage> => {
    if (tier !== undefined && !policy.tiers.includes(tier)) {
      throw invalid('unknown_tier', `The tier must be one of ${policy.tiers.join(', ')}.`);
    }
    const now = clock.now();
    const isByEmail = prefix !== undefined;
    const filter: SearchFilter = {
      ...(isByEmail && { emailBegins: beginningOf(prefix) }),
      ...(tier !== undefined && { tier }),
      ...(flag !== undefined && flags(now)[flag]),
    };
    const most = Math.min(limit ?? policy.adminPageDefault, policy.adminPageLongest);
    const after = cursor === undefined ? null : readCursor(cursor, isByEmail);
    const found = await directory.search(filter, after, most + 1, policy.listLooks);
    const shown = found.accounts.slice(0, most);
    const users = shown.map((account) => listed(account, now));
    const last = shown.at(-1);
    if (found.accounts.length > most && last !== undefined) {
      return { users, cursor: writeCursor(isByEmail ? last.email : last) };
    }
    const { searchedTo } = found;
    if (searchedTo === null) return { users };
    return {
      users,
      cursor: writeCursor(searchedTo),
      searchedTo: typeof searchedTo === 'string' ? searchedTo : new Date(searchedTo.createdAt).toISOString(),
    };
  };
};
