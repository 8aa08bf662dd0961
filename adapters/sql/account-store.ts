import { type Account, completeAccount } from '../../core/accounts/account.ts';
import { accountFacts, firstOfEachEmail } from '../../core/accounts/account-facts.ts';
import type { AccountCondition, AccountStore } from '../../core/accounts/ports.ts';
import { type Database, flag, integer, integerOrNull, type Scalar, text, textOrNull } from './database.ts';
import { type Cells, callsOn, documentTable } from './table.ts';

const withFacts = (account: Account) => ({ account, facts: accountFacts(account) });

const cells: Cells<ReturnType<typeof withFacts>> = {
  id: ({ account }) => text(account.id),
  version: ({ account }) => integer(account.version),
  email: ({ account, facts }) => (facts.isListed ? text(account.email) : null),
  unverified_since: ({ facts }) => integerOrNull(facts.unverifiedSince),
  pending: ({ facts }) => flag(facts.isPending),
  created_at: ({ account }) => integer(account.createdAt),
  tier: ({ account }) => text(account.access.tier),
  premium: ({ account }) => flag(account.access.isPremium),
  verified: ({ account }) => flag(account.verified),
  two_factor: ({ facts }) => flag(facts.hasTwoFactor),
  sealed: ({ facts }) => flag(facts.isSealed),
  claims_counted: ({ account }) => (account.claimsCounted === null ? null : flag(account.claimsCounted)),
  billed: ({ facts }) => flag(facts.isBilled),
  billing_due_at: ({ account }) => integerOrNull(account.billingDueAt),
  banned_until: ({ facts }) => integer(facts.bannedUntil),
  disabled_until: ({ facts }) => integer(facts.disabledUntil),
  operator: ({ facts }) => flag(facts.isOperator),
  former_emails: ({ facts }) => (facts.formerEmails.length > 0 ? JSON.stringify(facts.formerEmails) : null),
};

export const accountsTable = documentTable('accounts', withFacts, cells, completeAccount);

const SAVE = `UPDATE accounts SET ${accountsTable.assignments} WHERE id = ? AND version = ?`;
const REMOVE = 'DELETE FROM accounts WHERE id = ? AND version = ?';
// Triggers fill the table `former_emails` from the column of that name.
const LIST_BY_FORMER_EMAIL = `
  SELECT doc FROM former_emails JOIN accounts ON accounts.id = former_emails.user_id
  WHERE former_emails.email = ? ORDER BY former_emails.user_id`;
const listById = (fact: string) =>
  `SELECT doc FROM accounts WHERE ${fact} = 1 AND id > ? ORDER BY id LIMIT ?`;
const LISTS: Readonly<Record<AccountCondition['fact'], string>> = {
  pending: listById('pending'),
  sealed: listById('sealed'),
  billed: listById('billed'),
  // An upgrade wrote 2, which means unknown: such accounts are listed for either value.
  claims: 'SELECT doc FROM accounts WHERE claims_counted IN (?, 2) LIMIT ?',
  billing_due: 'SELECT doc FROM accounts WHERE billing_due_at <= ? ORDER BY billing_due_at, id LIMIT ?',
  unverified: 'SELECT doc FROM accounts WHERE unverified_since < ? ORDER BY unverified_since, id LIMIT ?',
};

/** The parameter of the condition in the statements above. */
const boundOf = (condition: AccountCondition): Scalar => {
  switch (condition.fact) {
    case 'claims':
      return flag(condition.counted);
    case 'billing_due':
      return integer(condition.now);
    case 'unverified':
      return integer(condition.before);
    default:
      // All ids are greater than the empty text: without `after` the list begins at the first.
      return textOrNull(condition.after) ?? '';
  }
};

export const makeSqlAccountStore = (database: Database): AccountStore => {
  const { read, write, dialect } = database;
  const { find, list, changeOne } = callsOn(database, accountsTable);
  const LIST_TAKEN = `
    SELECT id, email FROM accounts WHERE id IN (SELECT value FROM ${dialect.each('?')})
    UNION ALL SELECT id, email FROM accounts WHERE email IN (SELECT value FROM ${dialect.each('?')})`;
  const ADD_ALL = `${accountsTable.insertAll(dialect)} ON CONFLICT DO NOTHING RETURNING id`;

  /** The accounts whose id and email are both unused. */
  const freeOf = async (accounts: readonly Account[]): Promise<readonly Account[]> => {
    const ids = accounts.map(({ id }) => text(id));
    const emails = accounts.map(({ email }) => text(email));
    const rows = await read.all(LIST_TAKEN, [JSON.stringify(ids), JSON.stringify(emails)]);
    const taken = new Set(rows.flatMap(({ id, email }) => [id, email]));
    return accounts.filter(({ id, email }) => !taken.has(id) && !taken.has(email));
  };
  return {
    find: async (id) => find('SELECT doc FROM accounts WHERE id = ?', [text(id)]),
    findByEmail: async (email) => find('SELECT doc FROM accounts WHERE email = ?', [text(email)]),
    listByFormerEmail: async (email) => list(LIST_BY_FORMER_EMAIL, [text(email)]),
    add: async (account) => changeOne(accountsTable.insert, accountsTable.row(account)),
    addAll: async (accounts, beforeAdding) => {
      const free = await freeOf(firstOfEachEmail(accounts));
      if (free.length > 0) await beforeAdding(free);
      const outcome = await write([{ sql: ADD_ALL, params: [accountsTable.json(free)] }]);
      const added = new Set(outcome.done ? outcome.results[0]?.rows.map(({ id }) => id) : []);
      return accounts.map(({ id }) => added.has(id));
    },
    save: async (account) => {
      const values = accountsTable.row({ ...account, version: account.version + 1 });
      return changeOne(SAVE, [...values, text(account.id), integer(account.version)]);
    },
    remove: async ({ id, version }) => changeOne(REMOVE, [text(id), integer(version)]),
    listWhere: async (condition, limit) => list(LISTS[condition.fact], [boundOf(condition), integer(limit)]),
  };
};
