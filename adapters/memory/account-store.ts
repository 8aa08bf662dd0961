import type { Account } from '../../core/accounts/account.ts';
import { type AccountFacts, accountFacts } from '../../core/accounts/account-facts.ts';
import type { AccountStore } from '../../core/accounts/ports.ts';
import { by, due, first, kept, page } from './records.ts';
import { text, whole } from './scalars.ts';

/** All accounts by id, tombstones too. Only the account store writes here. */
export type Accounts = ReadonlyMap<string, Account>;

const byId = by<Pick<Account, 'id'>>(({ id }) => id);
const behind = (id: string | null) => (id === null ? null : { id });

/** Accounts in memory. Each write is synchronous, so nothing comes between its condition and its effect. */
export const makeMemoryAccountStore = (accounts: Map<string, Account>): AccountStore => {
  const owners = new Map<string, string>();

  const isFree = ({ id, email }: Account) => (owners.get(text(email)) ?? id) === id;
  const isNew = (account: Account) => !accounts.has(text(account.id)) && isFree(account);
  const put = (account: Account) => {
    accounts.set(account.id, kept(account));
    if (accountFacts(account).isListed) owners.set(account.email, account.id);
  };
  const drop = ({ id, email }: Account) => {
    accounts.delete(id);
    if (owners.get(email) === id) owners.delete(email);
  };
  const add = (account: Account): boolean => {
    const added = isNew(account);
    if (added) put(account);
    return added;
  };
  /** The stored account, if it still is at this version. */
  const seen = ({ id, version }: Account): Account | undefined => {
    const found = accounts.get(text(id));
    return whole(version) === found?.version ? found : undefined;
  };
  const those = (where: (account: Account, facts: AccountFacts) => boolean) =>
    [...accounts.values()].filter((account) => where(account, accountFacts(account)));
  /** Those with such a time up to `now`, in the order of these times. */
  const until = (timeOf: (account: Account) => number | null, now: number, limit: number) =>
    due([...accounts.values()], (account) => timeOf(account) ?? Number.POSITIVE_INFINITY, now, limit);

  return {
    find: async (id) => accounts.get(text(id)),
    findByEmail: async (email) => accounts.get(owners.get(text(email)) ?? ''),
    listByFormerEmail: async (email) =>
      first(
        those((_, facts) => facts.formerEmails.includes(text(email))),
        byId,
        accounts.size,
      ),
    add: async (account) => add(account),
    addAll: async (given, before) => {
      // If several accounts have the same email, the first one gets it.
      const earliest = new Map(given.toReversed().map((account) => [account.email, account]));
      const next = given.filter((account) => earliest.get(account.email) === account && isNew(account));
      if (next.length > 0) await before(next);
      const added = new Set(next.filter(add).map(({ id }) => id));
      return given.map(({ id }) => added.has(id));
    },
    save: async (account) => {
      const before = seen(account);
      if (!isFree(account) || before === undefined) return false;
      drop(before);
      put({ ...account, version: account.version + 1 });
      return true;
    },
    remove: async (account) => {
      const before = seen(account);
      if (before !== undefined) drop(before);
      return before !== undefined;
    },
    listPending: async (after, limit) =>
      page(
        those((_, { isPending }) => isPending),
        byId,
        behind(after),
        limit,
      ),
    listSealed: async (after, limit) =>
      page(
        those((_, { isSealed }) => isSealed),
        byId,
        behind(after),
        limit,
      ),
    listByClaims: async (counted, limit) =>
      first(
        those(({ claimsCounted }) => claimsCounted === counted),
        byId,
        limit,
      ),
    listBillingDue: async (now, limit) => until(({ billingDueAt }) => billingDueAt, now, limit),
    listBilled: async (after, limit) =>
      page(
        those((_, { isBilled }) => isBilled),
        byId,
        behind(after),
        limit,
      ),
    listUnverified: async (before, limit) =>
      until((account) => accountFacts(account).unverifiedSince, whole(before) - 1, limit),
  };
};
