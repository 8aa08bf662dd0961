import { invalidCursor, makeCursor, makeTextCursor } from '../../cursor.ts';
import { invalid } from '../../errors.ts';
import { type Account, isBanned, isDisabled, type Restriction } from '../account.ts';
import type { Deps } from '../deps.ts';
import type { DirectoryPlace, SearchFilter } from '../directory.ts';
import { canonicalBeginning } from '../email.ts';
import { type OperatorRole, operatorRole } from '../entitlement.ts';

export const directoryFlags = [
  'banned',
  'disabled',
  'unverified',
  'two_factor',
  'operator',
  'premium',
] as const;
/** A condition on the listed users; restrictions must be active now. */
export type DirectoryFlag = (typeof directoryFlags)[number];

export interface ListDirectoryInput {
  /** The beginning of the email, at least two characters. Sorts the list by email; without it, newest first. */
  readonly prefix?: string;
  /** The tier in effect. */
  readonly tier?: string;
  readonly flag?: DirectoryFlag;
  /** From the previous page of the same prefix. */
  readonly cursor?: string;
  /** Reduced to `adminPageLongest` if larger. */
  readonly limit?: number;
}

/** An active restriction; `until` is null for a permanent restriction. */
interface ActiveRestriction {
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
  readonly banned: ActiveRestriction | null;
  readonly disabled: ActiveRestriction | null;
  readonly operator: OperatorRole | null;
  /** ISO 8601. */
  readonly createdAt: string;
}

export interface DirectoryPage {
  readonly users: readonly DirectoryUser[];
  /** Present if more users may follow. */
  readonly cursor?: string;
  /**
   * Present if the search stopped after `listLooks` users: the email or the registration time (ISO 8601) of the last
   * searched user. The cursor continues after that user.
   */
  readonly searchedTo?: string;
}

const SHORTEST_PREFIX = 2;

const viewRestriction = (restriction: Restriction | null, isActive: boolean): ActiveRestriction | null =>
  restriction !== null && isActive
    ? { until: restriction.until === null ? null : new Date(restriction.until).toISOString() }
    : null;

const viewUser = (account: Account, now: number): DirectoryUser => ({
  id: account.id,
  email: account.email,
  displayName: account.displayName,
  tier: account.access.tier,
  isPremium: account.access.isPremium,
  verified: account.verified,
  twoFactor: account.twoFactor !== null,
  banned: viewRestriction(account.banned, isBanned(account, now)),
  disabled: viewRestriction(account.disabled, isDisabled(account, now)),
  operator: operatorRole(account.entitlements) ?? null,
  createdAt: new Date(account.createdAt).toISOString(),
});

/** Lists users for operators, without counting them: reads at most a page and one more account. */
export const makeListDirectory = (deps: Deps) => {
  const { clock, digest, directory, domains, policy } = deps;
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

  return async ({ prefix, tier, flag, cursor, limit }: ListDirectoryInput): Promise<DirectoryPage> => {
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
    const pageSize = Math.min(limit ?? policy.adminPageDefault, policy.adminPageLongest);
    const after = cursor === undefined ? null : readCursor(cursor, isByEmail);
    const result = await directory.search(filter, after, pageSize + 1, policy.listLooks);
    const accounts = result.accounts.slice(0, pageSize);
    const users = accounts.map((account) => viewUser(account, now));
    const lastAccount = accounts.at(-1);
    if (result.accounts.length > pageSize && lastAccount !== undefined) {
      return { users, cursor: writeCursor(isByEmail ? lastAccount.email : lastAccount) };
    }
    const { searchedTo } = result;
    if (searchedTo === null) return { users };
    return {
      users,
      cursor: writeCursor(searchedTo),
      searchedTo: typeof searchedTo === 'string' ? searchedTo : new Date(searchedTo.createdAt).toISOString(),
    };
  };
};
