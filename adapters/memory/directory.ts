import type { Account } from '../../core/accounts/account.ts';
import { accountFacts } from '../../core/accounts/account-facts.ts';
import {
  type Directory,
  type DirectoryFilter,
  type DirectoryPlace,
  type DirectoryPosition,
  leadOf,
  type SearchFilter,
} from '../../core/accounts/directory.ts';
import type { Accounts } from './account-store.ts';
import { backwards, by, first, page } from './records.ts';
import { text, whole } from './scalars.ts';

/** Whether an account is listed by a filter. Throws a `TypeError` for a filter that is no text or number. */
const filtered = (filter: DirectoryFilter): ((account: Account) => boolean) => {
  const { email, tier, emailBegins, bannedAt, disabledAt, ...only } = filter;
  for (const given of [email, tier, emailBegins]) if (given !== undefined) text(given);
  for (const given of [bannedAt, disabledAt]) if (given !== undefined) whole(given);
  return (account) => {
    const { isListed, bannedUntil, disabledUntil, isOperator, hasTwoFactor } = accountFacts(account);
    return (
      isListed &&
      (email === undefined || account.email === email) &&
      (emailBegins === undefined || account.email.startsWith(emailBegins)) &&
      (tier === undefined || account.access.tier === tier) &&
      (bannedAt === undefined || bannedUntil > bannedAt) &&
      (disabledAt === undefined || disabledUntil > disabledAt) &&
      !(only.unverified && account.verified) &&
      !(only.operator && !isOperator) &&
      !(only.twoFactor && !hasTwoFactor) &&
      !(only.premium && !account.access.isPremium)
    );
  };
};

const newestFirst = backwards(
  by<DirectoryPosition>(
    ({ createdAt }) => createdAt,
    ({ id }) => id,
  ),
);
const byEmail = by<Pick<Account, 'email'>>(({ email }) => email);

/** The place of an account in the order of a search. */
const placeIn = ({ emailBegins }: SearchFilter, { email, createdAt, id }: Account): DirectoryPlace =>
  emailBegins === undefined ? { createdAt, id } : email;

/** The first accounts of a search behind a place. */
const behind = (
  found: readonly Account[],
  { emailBegins }: SearchFilter,
  after: DirectoryPlace | null,
  limit: number,
): readonly Account[] => {
  if (emailBegins !== undefined) {
    return page(found, byEmail, after === null ? null : { email: text(after as string) }, limit);
  }
  if (after === null) return first(found, newestFirst, limit);
  const { createdAt, id } = after as DirectoryPosition;
  return page(found, newestFirst, { createdAt: whole(createdAt), id: text(id) }, limit);
};

/** Lists and counts the accounts in memory. */
export const makeMemoryDirectory = (accounts: Accounts): Directory => {
  const those = (filter: DirectoryFilter) => [...accounts.values()].filter(filtered(filter));

  return {
    list: async (filter, start, limit) => {
      const found = those(filter);
      if ('after' in start) {
        const { createdAt, id } = start.after;
        return page(found, newestFirst, { createdAt: whole(createdAt), id: text(id) }, limit);
      }
      const order = filter.emailBegins === undefined ? newestFirst : byEmail;
      return first(found, order, whole(start.skip) + whole(limit)).slice(start.skip);
    },
    search: async (filter, after, limit, looks) => {
      const { lead, isWhole } = leadOf(filter);
      const [most, some] = [whole(limit), whole(looks)];
      const seen = behind(those(lead), filter, after, isWhole ? most : some);
      const isFound = filtered(filter);
      const accounts = seen.filter(isFound).slice(0, most);
      const last = seen.at(-1);
      const gaveUp = !isWhole && seen.length === some && accounts.length < most && last !== undefined;
      return { accounts, searchedTo: gaveUp ? placeIn(filter, last) : null };
    },
    count: async (filter) => those(filter).length,
    stats: async (now) => {
      const listed = those({});
      const byTier: Record<string, number> = {};
      for (const { access } of listed) byTier[access.tier] = (byTier[access.tier] ?? 0) + 1;
      return {
        total: listed.length,
        premium: listed.filter(({ access }) => access.isPremium).length,
        byTier,
        verified: listed.filter(({ verified }) => verified).length,
        twoFactor: listed.filter((account) => accountFacts(account).hasTwoFactor).length,
        banned: those({ bannedAt: now }).length,
        disabled: those({ disabledAt: now }).length,
      };
    },
    // Every count is exact.
    recount: async () => undefined,
  };
};
