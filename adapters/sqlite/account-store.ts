import type { Account, Restriction } from '../../core/accounts/account.ts';
import { isOperator } from '../../core/accounts/directory.ts';
import type { AccountStore } from '../../core/accounts/ports.ts';
import type { Database } from './database.ts';
import { document, documents } from './documents.ts';
import { text, textOrNull, whole, wholeOrNull } from './scalars.ts';
import { changesOf, type Scalar } from './unit.ts';

/** In the order of `accountColumns`. */
export const ACCOUNT_COLUMNS = `id, version, email, unverified_since, pending, created_at, tier, premium, verified,
    two_factor, sealed, claims_counted, billed, billing_due_at, banned_until, disabled_until, operator,
    doc`;
const ADD = `
  INSERT INTO accounts (${ACCOUNT_COLUMNS})
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const SAVE = `
  UPDATE accounts
  SET id = ?, version = ?, email = ?, unverified_since = ?, pending = ?, created_at = ?, tier = ?, premium = ?,
    verified = ?, two_factor = ?, sealed = ?, claims_counted = ?, billed = ?, billing_due_at = ?,
    banned_until = ?, disabled_until = ?, operator = ?, doc = ?
  WHERE id = ? AND version = ?`;
const TAKEN = `
  SELECT 1 FROM accounts WHERE id = ?
  UNION ALL SELECT 1 FROM accounts WHERE email = ? LIMIT 1`;
const LIST_PENDING = 'SELECT doc FROM accounts WHERE pending = 1 AND id > ? ORDER BY id LIMIT ?';
const LIST_SEALED = 'SELECT doc FROM accounts WHERE sealed = 1 AND id > ? ORDER BY id LIMIT ?';
// 2 where it is not known.
const LIST_BY_CLAIMS = 'SELECT doc FROM accounts WHERE claims_counted IN (?, 2) LIMIT ?';
const LIST_BILLING_DUE = `
  SELECT doc FROM accounts WHERE billing_due_at <= ? ORDER BY billing_due_at, id LIMIT ?`;
const LIST_BILLED = 'SELECT doc FROM accounts WHERE billed = 1 AND id > ? ORDER BY id LIMIT ?';
const LIST_UNVERIFIED = `
  SELECT doc FROM accounts WHERE unverified_since < ? ORDER BY unverified_since, id LIMIT ?`;

/** Accounts in the embedded store. */
export const makeSqliteAccountStore = ({ read, write }: Database): AccountStore => {
  const change = async (sql: string, params: readonly Scalar[]) =>
    changesOf(await write([{ sql, params }])) > 0;

  const findOne = (sql: string, key: string) => {
    const row = read.get(sql, [text(key)]);
    return row && document<Account>(row);
  };

  const isFree = ({ id, email }: Account): boolean => read.get(TAKEN, [text(id), text(email)]) === undefined;
  const add = (account: Account) => change(ADD, accountColumns(account));
  const save = (account: Account) => {
    const next = { ...account, version: account.version + 1 };
    return change(SAVE, [...accountColumns(next), text(account.id), whole(account.version)]);
  };

  return {
    find: async (id) => findOne('SELECT doc FROM accounts WHERE id = ?', id),
    findByEmail: async (email) => findOne('SELECT doc FROM accounts WHERE email = ?', email),
    add: async (account) => add(account),
    addAll: async (accounts, before) => {
      // Of those that want the same email the first gets it.
      const first = new Map(accounts.toReversed().map((account) => [account.email, account]));
      const next = accounts.filter((account) => first.get(account.email) === account && isFree(account));
      if (next.length > 0) await before(next);
      // The writer commits them together.
      const outcomes = await Promise.all(next.map(add));
      const added = new Set(next.filter((_, place) => outcomes[place]).map(({ id }) => id));
      return accounts.map(({ id }) => added.has(id));
    },
    save: async (account) => save(account),
    remove: async ({ id, version }) =>
      change('DELETE FROM accounts WHERE id = ? AND version = ?', [text(id), whole(version)]),
    listPending: async (after, limit) =>
      documents(read.all(LIST_PENDING, [textOrNull(after) ?? '', whole(limit)])),
    listSealed: async (after, limit) =>
      documents(read.all(LIST_SEALED, [textOrNull(after) ?? '', whole(limit)])),
    listByClaims: async (counted, limit) =>
      documents(read.all(LIST_BY_CLAIMS, [counted ? 1 : 0, whole(limit)])),
    listBillingDue: async (now, limit) => documents(read.all(LIST_BILLING_DUE, [whole(now), whole(limit)])),
    listBilled: async (after, limit) =>
      documents(read.all(LIST_BILLED, [textOrNull(after) ?? '', whole(limit)])),
    listUnverified: async (before, limit) =>
      documents(read.all(LIST_UNVERIFIED, [whole(before), whole(limit)])),
  };
};

/** Until when a restriction holds; 0 when there is none. */
const endOf = (restriction: Restriction | null): number =>
  restriction === null ? 0 : (restriction.until ?? Number.MAX_SAFE_INTEGER);

/** What queries need beside the document, in the order of the columns. A tombstone has no email. */
export const accountColumns = (account: Account): readonly Scalar[] => {
  const { id, version, email, verified, registeredAt, deletedAt, pending } = account;
  return [
    text(id),
    whole(version),
    deletedAt === null ? text(email) : null,
    verified || deletedAt !== null ? null : whole(registeredAt),
    pending.length > 0 ? 1 : 0,
    whole(account.createdAt),
    text(account.access.tier),
    account.access.isPremium ? 1 : 0,
    verified ? 1 : 0,
    account.twoFactor === null ? 0 : 1,
    account.twoFactor === null && account.twoFactorSetup === null ? 0 : 1,
    account.claimsCounted === null ? null : account.claimsCounted ? 1 : 0,
    account.billing === null ? 0 : 1,
    wholeOrNull(account.billingDueAt),
    endOf(account.banned),
    endOf(account.disabled),
    isOperator(account) ? 1 : 0,
    JSON.stringify(account),
  ];
};
