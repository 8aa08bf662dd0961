import { TIME, USER_ID } from '../../answer-schemas.ts';
import { invalidCursor, makeCursor, makeTextCursor } from '../../cursor.ts';
import { invalid } from '../../errors.ts';
import { isoTime, isoTimeOrNull, timeOrNull } from '../../iso-times.ts';
import { cutPage, NEXT_CURSOR, pageMembers, pageSizeOf, searchedTo } from '../../pagination.ts';
import { flag, list, nullable, object, oneOf, optional, type TypeOf, text } from '../../schema.ts';
import { type Account, isBanned, isDisabled, type Restriction } from '../account.ts';
import type { Deps } from '../deps.ts';
import type { SearchFilter, SearchPosition } from '../directory.ts';
import { DISPLAY_NAME } from '../display-name.ts';
import { CANONICAL_EMAIL, canonicalBeginning } from '../email.ts';
import { IS_PREMIUM, OPERATOR_ROLES, operatorRole, TIER } from '../entitlement.ts';
import { unknownTier } from '../entitlements/entitlement-rules.ts';

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

export const listDirectoryInput = object({
  prefix: optional(
    text({
      maxLength: 1_000,
      description:
        'The beginning of the email, at least 2 characters; the list is then in the order of emails',
      examples: ['ada'],
    }),
  ),
  tier: optional(text({ maxLength: 64, description: 'Only users of this tier' })),
  flag: optional(oneOf(directoryFlags, { description: 'Only users in this state' })),
  ...pageMembers,
});
/**
 * `prefix`: the beginning of the email, at least two characters; sorts the list by email, otherwise newest first. `tier`:
 * the tier in effect. `cursor`: from the previous page of the same prefix. `limit`: reduced to `adminPageLongest` if
 * larger.
 */
export type ListDirectoryInput = TypeOf<typeof listDirectoryInput>;

const activeRestriction = nullable(object({ until: timeOrNull('Null: for good') }, { title: 'Held' }));
type ActiveRestriction = TypeOf<typeof activeRestriction>;

const directoryUser = object(
  {
    id: USER_ID,
    email: CANONICAL_EMAIL,
    displayName: DISPLAY_NAME,
    tier: TIER,
    isPremium: IS_PREMIUM,
    verified: flag({ description: 'Whether the email is verified', examples: [true] }),
    twoFactor: flag({ description: 'Whether the second factor is on', examples: [false] }),
    banned: activeRestriction,
    disabled: activeRestriction,
    operator: nullable(oneOf(OPERATOR_ROLES, { examples: [null] })),
    createdAt: TIME,
  },
  { title: 'DirectoryUser' },
);
/** A user in the directory, with the restrictions that are active. Times are ISO 8601. */
export type DirectoryUser = TypeOf<typeof directoryUser>;

export const directoryPage = object(
  {
    users: list(directoryUser),
    cursor: NEXT_CURSOR,
    searchedTo: searchedTo('the email or the registration of the last user looked at'),
  },
  { title: 'Directory' },
);
/**
 * `cursor`: present if more users may follow. `searchedTo`: present if the search stopped after `readsPerSearch` users: the
 * email or the registration time (ISO 8601) of the last searched user. The cursor continues after that user.
 */
export type DirectoryPage = TypeOf<typeof directoryPage>;

const SHORTEST_PREFIX = 2;

const viewRestriction = (restriction: Restriction | null, isActive: boolean): ActiveRestriction =>
  restriction !== null && isActive ? { until: isoTimeOrNull(restriction.until) } : null;

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
  createdAt: isoTime(account.createdAt),
});

/** Lists users for operators, without counting them: ends after a page and one more match, or after `readsPerSearch` reads. */
export const makeListDirectory = (deps: Deps) => {
  const { clock, digest, directory, domains, policy } = deps;
  const byTime = makeCursor(digest, 'directory');
  const byEmail = makeTextCursor(digest, 'directory-by-email');

  const writeCursor = (position: SearchPosition): string =>
    typeof position === 'string'
      ? byEmail.write(position)
      : byTime.write({ time: position.createdAt, id: position.id });

  const readCursor = (cursor: string, isByEmail: boolean): SearchPosition => {
    const position = isByEmail ? byEmail.read(cursor) : byTime.read(cursor);
    if (position === undefined) throw invalidCursor();
    return typeof position === 'string' ? position : { createdAt: position.time, id: position.id };
  };

  const acceptPrefix = (prefix: string): string => {
    const emailBegins = canonicalBeginning(domains, prefix);
    if (emailBegins.length < SHORTEST_PREFIX) {
      throw invalid(
        'invalid_prefix',
        `The beginning of an email must have at least ${SHORTEST_PREFIX} characters.`,
      );
    }
    return emailBegins;
  };

  const flagFilters = (now: number): Record<DirectoryFlag, SearchFilter> => ({
    banned: { bannedAt: now },
    disabled: { disabledAt: now },
    unverified: { unverified: true },
    two_factor: { twoFactor: true },
    operator: { operator: true },
    premium: { premium: true },
  });

  return async ({ prefix, tier, cursor, limit, ...input }: ListDirectoryInput): Promise<DirectoryPage> => {
    if (tier !== undefined && !policy.tiers.includes(tier)) throw unknownTier(policy);
    const now = clock.now();
    const isByEmail = prefix !== undefined;
    const filter: SearchFilter = {
      ...(isByEmail && { emailBegins: acceptPrefix(prefix) }),
      ...(tier !== undefined && { tier }),
      ...(input.flag !== undefined && flagFilters(now)[input.flag]),
    };
    const pageSize = pageSizeOf(policy, limit);
    const after = cursor === undefined ? null : readCursor(cursor, isByEmail);
    const result = await directory.search(filter, after, pageSize + 1, policy.readsPerSearch);
    const { page, last } = cutPage(result.accounts, pageSize);
    const users = page.map((account) => viewUser(account, now));
    if (last !== undefined) return { users, cursor: writeCursor(isByEmail ? last.email : last) };
    const { searchedTo: lastPosition } = result;
    if (lastPosition === null) return { users };
    return {
      users,
      cursor: writeCursor(lastPosition),
      searchedTo: typeof lastPosition === 'string' ? lastPosition : isoTime(lastPosition.createdAt),
    };
  };
};
