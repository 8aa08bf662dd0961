import { invalidCursor, makeCursor } from '../../cursor.ts';
import { invalid } from '../../errors.ts';
import { isId } from '../../ids.ts';
import type { Account } from '../account.ts';
import { type Authority, authorityOf } from '../authority.ts';
import type { DirectoryFilter, DirectoryPosition, DirectoryStart } from '../directory.ts';
import { canonicalBeginning, canonicalEmail } from '../email.ts';
import { type EntitlementView, viewEntitlement } from '../entitlement.ts';
import { makeSetEntitlement, type SetEntitlement } from '../entitlements/entitle.ts';
import { accountNotFound } from '../errors.ts';
import type { Identity } from '../identity.ts';
import type { Kit } from '../kit.ts';
import type { Caller } from '../needs.ts';

export interface ListUsers {
  /** From 1; 1 when absent. */
  readonly page?: number;
  /** At most `adminPageLongest`, and cut to it. */
  readonly limit?: number;
  readonly email?: string;
  readonly tier?: string;
  /** From the answer before; takes the place of `page`. */
  readonly cursor?: string;
}

/** Further conditions, for operators at the machine: all that are given must hold. */
export interface SearchUsers extends ListUsers {
  /** What the email begins with; the list is in the order of emails then, and has no cursor. */
  readonly emailBegins?: string;
  /** Only users whose ban holds now. */
  readonly banned?: boolean;
  readonly disabled?: boolean;
  readonly unverified?: boolean;
  readonly operator?: boolean;
}

/** A user as operators see them in a list. */
export interface ListedUser {
  readonly id: string;
  readonly email: string;
  readonly displayName: string | null;
  readonly avatar: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly serviceAccess: readonly EntitlementView[];
}

export interface UserList {
  readonly users: readonly ListedUser[];
  readonly pagination: {
    readonly page: number;
    readonly limit: number;
    readonly totalCount: number;
    readonly totalPages: number;
    readonly hasMore: boolean;
    /** There while more follow. */
    readonly cursor?: string;
  };
}

export const makeListUsers = (kit: Kit) => {
  const { clock, digest, directory, domains, policy } = kit;

  const cursors = makeCursor(digest, 'users');

  const readCursor = (text: string): DirectoryPosition => {
    const place = cursors.read(text);
    if (place === undefined) throw invalidCursor();
    return { createdAt: place.time, id: place.id };
  };

  const filterOf = ({ email, tier, emailBegins, ...only }: SearchUsers): DirectoryFilter => ({
    ...(email !== undefined && { email: canonicalEmail(domains, email) }),
    ...(tier !== undefined && { tier }),
    ...(emailBegins !== undefined && { emailBegins: canonicalBeginning(domains, emailBegins) }),
    ...(only.banned && { bannedAt: clock.now() }),
    ...(only.disabled && { disabledAt: clock.now() }),
    ...(only.unverified && { unverified: true }),
    ...(only.operator && { operator: true }),
  });

  const listed = (account: Account): ListedUser => ({
    id: account.id,
    email: account.email,
    displayName: account.displayName,
    avatar: account.avatar,
    createdAt: new Date(account.createdAt).toISOString(),
    updatedAt: new Date(account.updatedAt).toISOString(),
    serviceAccess: account.entitlements.map((one) =>
      viewEntitlement(account.id, one, policy.selfEntitlement),
    ),
  });

  return async (input: SearchUsers): Promise<UserList> => {
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
    const [found, totalCount] = await Promise.all([
      directory.list(filter, start, limit + 1),
      directory.count(filter),
    ]);
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    const hasMore = found.length > limit;
    const pagination = { page, limit, totalCount, totalPages: Math.ceil(totalCount / limit), hasMore };
    return {
      users: shown.map(listed),
      pagination:
        hasMore && last !== undefined && emailBegins === undefined
          ? { ...pagination, cursor: cursors.write({ time: last.createdAt, id: last.id }) }
          : pagination,
    };
  };
};

export interface UserStats {
  readonly totalUsers: number;
  readonly premiumUsers: number;
  readonly freeUsers: number;
}

export const makeUserStats =
  ({ clock, directory }: Pick<Kit, 'clock' | 'directory'>) =>
  async (): Promise<UserStats> => {
    const { total, premium } = await directory.stats(clock.now());
    return { totalUsers: total, premiumUsers: premium, freeUsers: total - premium };
  };

export const makeSetUserEntitlement = (kit: Kit) => {
  const { policy } = kit;
  const setEntitlement = makeSetEntitlement(kit);

  return async (
    who: Identity | undefined,
    userId: string,
    input: SetEntitlement,
    caller: Caller,
  ): Promise<{ readonly entitlement: EntitlementView }> => {
    if (!isId(userId)) throw accountNotFound();
    const authority: Authority =
      who === undefined ? { kind: 'internal' } : authorityOf(who.user, policy, false);
    return setEntitlement(userId, input, { authority, actor: who?.user.id ?? 'internal' }, caller);
  };
};
