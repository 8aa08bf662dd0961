import { TIME, USER_ID } from '../../answer-schemas.ts';
import { invalidCursor, makeCursor } from '../../cursor.ts';
import { invalid } from '../../errors.ts';
import { isoDay, isoTime } from '../../iso-times.ts';
import { cutPage, pageSizeOf } from '../../pagination.ts';
import { count, FLAG, flag, list, object, optional, size, TEXT, type TypeOf, text } from '../../schema.ts';
import { type Account, AVATAR } from '../account.ts';
import type { Deps } from '../deps.ts';
import type { DirectoryFilter, DirectoryPosition, DirectoryStart } from '../directory.ts';
import { DISPLAY_NAME } from '../display-name.ts';
import { CANONICAL_EMAIL, canonicalBeginning, canonicalEmail } from '../email.ts';
import { entitlementView, viewEntitlement } from '../entitlement.ts';
import { unknownTier } from '../entitlements/entitlement-rules.ts';

/** The members of a query, or of a body, which keeps emails out of the logs of proxies. */
const listUsersMembers = {
  page: optional(count({ maximum: 1_000_000_000, description: '1 when absent' })),
  limit: optional(
    count({ description: 'The most users of one answer: 50 when absent; more than 200 counts as 200' }),
  ),
  email: optional(text({ maxLength: 1_000, description: 'Only the user with this email' })),
  tier: optional(text({ maxLength: 64, description: 'Only users of this tier' })),
  cursor: optional(text({ maxLength: 256, description: 'From the answer before, in place of `page`' })),
};
export const listUsersInput = object(listUsersMembers);
/**
 * `page`: from 1; 1 if absent. `limit`: reduced to `adminPageLongest` if larger. `cursor`: from the previous page; takes
 * precedence over `page`.
 */
export type ListUsersInput = TypeOf<typeof listUsersInput>;

export const searchUsersInput = object({
  ...listUsersMembers,
  emailBegins: optional(TEXT),
  banned: optional(FLAG),
  disabled: optional(FLAG),
  unverified: optional(FLAG),
  operator: optional(FLAG),
});
/**
 * Further conditions for operators on the command line, all of which must hold. `emailBegins`: the beginning of the email;
 * sorts the list by email, without a cursor. `banned` and `disabled`: only users with an active restriction.
 */
export type SearchUsersInput = TypeOf<typeof searchUsersInput>;

const listedUser = object(
  {
    id: USER_ID,
    email: CANONICAL_EMAIL,
    displayName: DISPLAY_NAME,
    avatar: AVATAR,
    createdAt: TIME,
    updatedAt: TIME,
    serviceAccess: list(entitlementView),
  },
  { title: 'ListedUser' },
);
/** A user as operators see them in a list. */
export type ListedUser = TypeOf<typeof listedUser>;

const counted = (example: number) => size({ examples: [example] });

export const userList = object(
  {
    users: list(listedUser),
    pagination: object(
      {
        page: counted(1),
        limit: counted(50),
        totalCount: counted(120),
        totalPages: counted(3),
        hasMore: flag({ description: 'Whether more follow', examples: [true] }),
        cursor: optional(
          text({
            description: 'The cursor of the next page; absent on the last one',
            examples: ['MTc5NTI4NDAwMDAwMA.c2VjcmV0'],
          }),
        ),
      },
      { title: 'Pagination' },
    ),
  },
  { title: 'UserList' },
);
export type UserList = TypeOf<typeof userList>;

export const makeListUsers = (deps: Deps) => {
  const { clock, digest, directory, domains, policy } = deps;
  const cursors = makeCursor(digest, 'users');

  const readCursor = (text: string): DirectoryPosition => {
    const position = cursors.read(text);
    if (position === undefined) throw invalidCursor();
    return { createdAt: position.time, id: position.id };
  };

  const filterOf = ({ email, tier, emailBegins, ...flags }: SearchUsersInput): DirectoryFilter => ({
    ...(email !== undefined && { email: canonicalEmail(domains, email) }),
    ...(tier !== undefined && { tier }),
    ...(emailBegins !== undefined && { emailBegins: canonicalBeginning(domains, emailBegins) }),
    ...(flags.banned && { bannedAt: clock.now() }),
    ...(flags.disabled && { disabledAt: clock.now() }),
    ...(flags.unverified && { unverified: true }),
    ...(flags.operator && { operator: true }),
  });

  const viewUser = (account: Account): ListedUser => ({
    id: account.id,
    email: account.email,
    displayName: account.displayName,
    avatar: account.avatar,
    createdAt: isoTime(account.createdAt),
    updatedAt: isoTime(account.updatedAt),
    serviceAccess: account.entitlements.map((entitlement) =>
      viewEntitlement(account.id, entitlement, policy.selfEntitlement),
    ),
  });

  return async (input: SearchUsersInput): Promise<UserList> => {
    const { page = 1, tier, emailBegins } = input;
    const limit = pageSizeOf(policy, input.limit);
    if (tier !== undefined && !policy.tiers.includes(tier)) throw unknownTier(policy);
    if (input.cursor !== undefined && emailBegins !== undefined) {
      throw invalid('invalid_cursor', 'A list by the beginning of emails has no cursor.');
    }
    const filter = filterOf(input);
    const start: DirectoryStart =
      input.cursor === undefined ? { skip: (page - 1) * limit } : { after: readCursor(input.cursor) };
    const [accounts, totalCount] = await Promise.all([
      directory.list(filter, start, limit + 1),
      directory.count(filter),
    ]);
    const { page: pageAccounts, last } = cutPage(accounts, limit);
    const totalPages = Math.ceil(totalCount / limit);
    const cursor =
      last && emailBegins === undefined ? cursors.write({ time: last.createdAt, id: last.id }) : undefined;
    return {
      users: pageAccounts.map(viewUser),
      pagination: {
        page,
        limit,
        totalCount,
        totalPages,
        hasMore: last !== undefined,
        ...(cursor && { cursor }),
      },
    };
  };
};

export const userStats = object(
  { totalUsers: counted(120), premiumUsers: counted(20), freeUsers: counted(100) },
  { title: 'UserStats' },
);
export type UserStats = TypeOf<typeof userStats>;

export const makeUserStats = (deps: Deps) => async (): Promise<UserStats> => {
  const { total, premium } = await deps.directory.stats(deps.clock.now());
  return { totalUsers: total, premiumUsers: premium, freeUsers: total - premium };
};

const NAME = 'count-check';

/** The last check of the counts that the store keeps. */
interface CountCheck {
  /** UTC. */
  readonly day: string;
  /** How many counts were wrong. */
  readonly wrong: number;
}

/** Verifies once a day the counts that the store keeps, and corrects them. The log names each wrong count and its excess. */
export const makeVerifyCounts = (deps: Pick<Deps, 'clock' | 'directory' | 'jobResults' | 'log'>) => {
  const { clock, directory, jobResults, log } = deps;
  return async function* (): AsyncGenerator<undefined, void> {
    const day = isoDay(clock.now());
    const stored = await jobResults.find<CountCheck>(NAME);
    if (stored?.value.day === day) return;
    // Null while pages follow: each page is one step of the job.
    let wrong = await directory.verifyCounts();
    while (wrong === null) {
      yield undefined;
      wrong = await directory.verifyCounts();
    }
    for (const { name, excess } of wrong) log.error('counts.corrected', { id: name, count: excess });
    log.info('counts.verified', { count: wrong.length });
    await jobResults.put(NAME, { day, wrong: wrong.length } satisfies CountCheck, stored?.version ?? 0);
  };
};
