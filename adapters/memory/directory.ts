import type { Account } from '../../core/accounts/account.ts';
import { accountFacts } from '../../core/accounts/account-facts.ts';
import type { Directory, DirectoryFilter, DirectoryPosition } from '../../core/accounts/directory.ts';
import type { Accounts } from './account-store.ts';
import { backwards, by, first, page } from './records.ts';
import { text, whole } from './scalars.ts';

/** Whether an account is listed by a filter. Throws a `TypeError` for a filter that is no text or number. */
const filtered = (filter: DirectoryFilter): ((account: Account) => boolean) => {
  const { email, tier, emailBegins, bannedAt, disabledAt, unverified, operator } = filter;
  for (const given of [email, tier, emailBegins]) if (given !== undefined) text(given);
  for (const given of [bannedAt, disabledAt]) if (given !== undefined) whole(given);
  return (account) => {
    const { isListed, bannedUntil, disabledUntil, isOperator } = accountFacts(account);
    return (
      isListed &&
      (email === undefined || account.email === email) &&
      (emailBegins === undefined || account.email.startsWith(emailBegins)) &&
      (tier === undefined || account.access.tier === tier) &&
      (bannedAt === undefined || bannedUntil > bannedAt) &&
      (disabledAt === undefined || disabledUntil > disabledAt) &&
      !(unverified && account.verified) &&
      !(operator && !isOperator)
    );
  };
};

const newestFirst = backwards(
  by<DirectoryPosition>(
    ({ createdAt }) => createdAt,
    ({ id }) => id,
  ),
);
const byEmail = by<Account>(({ email }) => email);

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
