import { TIME, USER_ID } from '../../answers.ts';
import { invalidCursor, makeCursor } from '../../cursor.ts';
import { invalid } from '../../errors.ts';
import { isId } from '../../ids.ts';
import { count, FLAG, flag, list, object, optional, size, TEXT, type TypeOf, text } from '../../schema.ts';
import { type Account, AVATAR } from '../account.ts';
import type { Caller } from '../base-deps.ts';
import type { Deps } from '../deps.ts';
import type { DirectoryFilter, DirectoryPosition, DirectoryStart } from '../directory.ts';
import { DISPLAY_NAME } from '../display-name.ts';
import { CANONICAL_EMAIL, canonicalBeginning, canonicalEmail } from '../email.ts';
import { type EntitlementAnswer, entitlementView, viewEntitlement } from '../entitlement.ts';
import { makeSetEntitlement, SET_ENTITLEMENT } from '../entitlements/set-entitlement.ts';
import { accountNotFound, restricted } from '../errors.ts';
import { authorityOf } from '../operators/authority.ts';
import { isFounder, makeGuardFounders, ownAccount } from '../operators/founders.ts';
import type { Principal } from '../principal.ts';
import { makeRequireFresh } from '../sessions/require-fresh.ts';
import { acceptReason } from './admin-action.ts';

/** For a query or a body: the body keeps emails out of the logs of proxies. */
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
    const place = cursors.read(text);
    if (place === undefined) throw invalidCursor();
    return { createdAt: place.time, id: place.id };
  };

  const filterOf = ({ email, tier, emailBegins, ...only }: SearchUsersInput): DirectoryFilter => ({
    ...(email !== undefined && { email: canonicalEmail(domains, email) }),
    ...(tier !== undefined && { tier }),
    ...(emailBegins !== undefined && { emailBegins: canonicalBeginning(domains, emailBegins) }),
    ...(only.banned && { bannedAt: clock.now() }),
    ...(only.disabled && { disabledAt: clock.now() }),
    ...(only.unverified && { unverified: true }),
    ...(only.operator && { operator: true }),
  });

  const viewUser = (account: Account): ListedUser => ({
    id: account.id,
    email: account.email,
    displayName: account.displayName,
    avatar: account.avatar,
    createdAt: new Date(account.createdAt).toISOString(),
    updatedAt: new Date(account.updatedAt).toISOString(),
    serviceAccess: account.entitlements.map((entitlement) =>
      viewEntitlement(account.id, entitlement, policy.selfEntitlement),
    ),
  });

  return async (input: SearchUsersInput): Promise<UserList> => {
    const { page = 1, tier, emailBegins } = input;
    const limit = Math.min(input.limit ?? policy.adminPageDefault, policy.adminPageLongest);
    if (tier !== undefined && !policy.tiers.includes(tier)) {
      throw invalid('unknown_tier', `The tier must be one of ${policy.tiers.join(', ')}.`);
    }
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
    const pageAccounts = accounts.slice(0, limit);
    const lastAccount = pageAccounts.at(-1);
    const hasMore = accounts.length > limit;
    const pagination = { page, limit, totalCount, totalPages: Math.ceil(totalCount / limit), hasMore };
    return {
      users: pageAccounts.map(viewUser),
      pagination:
        hasMore && lastAccount !== undefined && emailBegins === undefined
          ? { ...pagination, cursor: cursors.write({ time: lastAccount.createdAt, id: lastAccount.id }) }
          : pagination,
    };
  };
};

export const userStats = object(
  { totalUsers: counted(120), premiumUsers: counted(20), freeUsers: counted(100) },
  { title: 'UserStats' },
);
export type UserStats = TypeOf<typeof userStats>;

export const makeUserStats =
  ({ clock, directory }: Pick<Deps, 'clock' | 'directory'>) =>
  async (): Promise<UserStats> => {
    const { total, premium } = await directory.stats(clock.now());
    return { totalUsers: total, premiumUsers: premium, freeUsers: total - premium };
  };

export const setUserEntitlementInput = object({
  ...SET_ENTITLEMENT,
  reason: optional(
    text({
      // Characters of two code units count once: `acceptReason` counts them.
      maxLength: 1_000,
      description: 'Why, in 1 to 500 characters: the audit log keeps it',
      examples: ['A new colleague'],
    }),
  ),
});
/** A change of a user's entitlement, and its reason, which the audit log records. */
export type SetUserEntitlementInput = TypeOf<typeof setUserEntitlementInput>;

/**
 * Changes a user's entitlement, on behalf of an operator or of a caller with the internal secret. An operator who
 * changes operators must have authenticated recently: an access token does not belong to a console session.
 */
export const makeSetUserEntitlement = (deps: Deps) => {
  const { accounts, clock, policy } = deps;
  const setEntitlement = makeSetEntitlement(deps);
  const guardFounders = makeGuardFounders(deps);
  const requireFresh = makeRequireFresh(deps);

  return async (
    who: Principal | undefined,
    userId: string,
    { reason: rawReason, ...input }: SetUserEntitlementInput,
    caller: Caller,
  ): Promise<EntitlementAnswer> => {
    if (!isId(userId)) throw accountNotFound();
    const reason = rawReason === undefined ? undefined : acceptReason(rawReason);
    const details = { address: caller.address, ...(reason !== undefined && { reason }) };
    if (who === undefined) {
      const by = { authority: { kind: 'internal' }, actor: 'internal', means: 'internal secret' } as const;
      return setEntitlement(userId, input, { ...by, ...details }, caller);
    }
    const actor = who.user.id;
    const authority = authorityOf(who.user, policy, false);
    const by = { authority, actor, means: 'access token', ...details } as const;
    const target = input.accessFlags === undefined ? undefined : await accounts.find(userId);
    const isTargetFounder = target !== undefined && isFounder(target, clock.now());
    return guardFounders({ id: userId, isFounder: isTargetFounder }, actor, (keepFounder) =>
      setEntitlement(userId, input, by, caller, async (before, after) => {
        if (before.id === actor) return ownAccount();
        // The request's copy of the operator may be a second old.
        const operator = await accounts.find(actor);
        if (operator === undefined || !isFounder(operator, clock.now())) return restricted('operators_only');
        await requireFresh(who, caller, policy.operatorsNeedSecondFactor);
        return keepFounder(before, after);
      }),
    );
  };
};
