import { type Account, completeAccount } from '../../core/accounts/account.ts';
import { accountFacts, firstOfEachEmail } from '../../core/accounts/account-facts.ts';
import type { AccountCondition, AccountStore } from '../../core/accounts/ports.ts';
import {
  changesOf,
  type Database,
  flag,
  integer,
  integerOrNull,
  type Row,
  type Scalar,
  text,
  textOrNull,
} from './database.ts';
import { type Cells, documentTable } from './table.ts';

const withFacts = (account: Account) => ({ ...account, ...accountFacts(account) });

const cells: Cells<ReturnType<typeof withFacts>> = {
  id: ({ id }) => text(id),
  version: ({ version }) => integer(version),
  email: ({ isListed, email }) => (isListed ? text(email) : null),
  unverified_since: ({ unverifiedSince }) => integerOrNull(unverifiedSince),
  pending: ({ isPending }) => flag(isPending),
  created_at: ({ createdAt }) => integer(createdAt),
  tier: ({ access }) => text(access.tier),
  premium: ({ access }) => flag(access.isPremium),
  verified: ({ verified }) => flag(verified),
  two_factor: ({ hasTwoFactor }) => flag(hasTwoFactor),
  sealed: ({ isSealed }) => flag(isSealed),
  claims_counted: ({ claimsCounted }) => (claimsCounted === null ? null : flag(claimsCounted)),
  billed: ({ isBilled }) => flag(isBilled),
  billing_due_at: ({ billingDueAt }) => integerOrNull(billingDueAt),
  banned_until: ({ bannedUntil }) => integer(bannedUntil),
  disabled_until: ({ disabledUntil }) => integer(disabledUntil),
  operator: ({ isOperator }) => flag(isOperator),
  former_emails: ({ formerEmails }) => (formerEmails.length > 0 ? JSON.stringify(formerEmails) : null),
};

export const accountsTable = documentTable('accounts', withFacts, cells, completeAccount);

const accountsIn = (rows: readonly Row[]) => rows.map(accountsTable.record);

const SAVE = `UPDATE accounts SET ${accountsTable.assignments} WHERE id = ? AND version = ?`;
const TAKEN = `
  SELECT 1 FROM accounts WHERE id = ?
  UNION ALL SELECT 1 FROM accounts WHERE email = ? LIMIT 1`;
const LIST_BY_FORMER_EMAIL = `
  SELECT doc FROM former_emails JOIN accounts ON accounts.id = former_emails.user_id
  WHERE former_emails.email = ? ORDER BY former_emails.user_id`;
const listById = (fact: string) =>
  `SELECT doc FROM accounts WHERE ${fact} = 1 AND id > ? ORDER BY id LIMIT ?`;
const LISTS: Readonly<Record<AccountCondition['fact'], string>> = {
  pending: listById('pending'),
  sealed: listById('sealed'),
  billed: listById('billed'),
  // 2: an earlier version did not note it.
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
      return textOrNull(condition.after) ?? '';
  }
};

/** Accounts. */
export const makeSqlAccountStore = ({ read, write, dialect }: Database): AccountStore => {
  const ADD_ALL = `${accountsTable.insertAll(dialect)} ON CONFLICT DO NOTHING RETURNING id`;
  const change = async (sql: string, params: readonly Scalar[]) =>
    changesOf(await write([{ sql, params }])) > 0;

  const findByKey = async (sql: string, key: string) => {
    const row = await read.get(sql, [text(key)]);
    return row && accountsTable.record(row);
  };

  const isFree = async ({ id, email }: Account): Promise<boolean> =>
    (await read.get(TAKEN, [text(id), text(email)])) === undefined;
  const add = (account: Account) => change(accountsTable.insert, accountsTable.row(account));
  const save = (account: Account) => {
    const next = { ...account, version: account.version + 1 };
    return change(SAVE, [...accountsTable.row(next), text(account.id), integer(account.version)]);
  };

  return {
    find: async (id) => findByKey('SELECT doc FROM accounts WHERE id = ?', id),
    findByEmail: async (email) => findByKey('SELECT doc FROM accounts WHERE email = ?', email),
    listByFormerEmail: async (email) => accountsIn(await read.all(LIST_BY_FORMER_EMAIL, [text(email)])),
    add: async (account) => add(account),
    addAll: async (accounts, before) => {
      const candidates = firstOfEachEmail(accounts);
      const free = await Promise.all(candidates.map(isFree));
      const next = candidates.filter((_, place) => free[place]);
      if (next.length > 0) await before(next);
      const outcome = await write([{ sql: ADD_ALL, params: [accountsTable.json(next)] }]);
      const added = new Set(outcome.done ? outcome.results[0]?.rows.map(({ id }) => id) : []);
      return accounts.map(({ id }) => added.has(id));
    },
    save: async (account) => save(account),
    remove: async ({ id, version }) =>
      change('DELETE FROM accounts WHERE id = ? AND version = ?', [text(id), integer(version)]),
    listWhere: async (condition, limit) =>
      accountsIn(await read.all(LISTS[condition.fact], [boundOf(condition), integer(limit)])),
  };
};
