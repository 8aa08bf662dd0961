import type { Filter, Sort } from 'mongodb';
import type { Account } from '../../core/accounts/account.ts';
import type { AccountCondition, AccountStore } from '../../core/accounts/ports.ts';
import {
  ACCOUNTS,
  type AccountDocument,
  accountOf,
  accountsOf,
  barOf,
  documentOf,
} from './documents/account-document.ts';
import { makeAccountBatches } from './documents/bulk-insert-accounts.ts';
import { makeEmailClaims } from './documents/email-claims.ts';
import type { MongoDatabase } from './engine/client.ts';
import { insertOnce, replaceOnce } from './engine/idempotent-writes.ts';
import { equals, integer, is, limitOf, textOrNull } from './engine/scalars.ts';

/** Accounts in MongoDB, with the emails they have claimed. */
export const makeMongoAccountStore = (database: MongoDatabase): AccountStore => {
  const { call, collection } = database;
  const accounts = collection<AccountDocument>(ACCOUNTS);
  const emails = makeEmailClaims(database);

  const findByFilter = async (filter: Filter<AccountDocument>): Promise<Account | undefined> => {
    const document = await call(() => accounts.findOne(filter));
    return document === null ? undefined : accountOf(document);
  };

  /** Saves an account whose email differs from the stored one. False if another write was faster, or the email is taken. */
  const changeEmail = async (account: Account): Promise<boolean> => {
    const current = currentVersion(account);
    const document = await call(() => accounts.findOne(current, { projection: { email: 1, guard: 1 } }));
    if (document === null || document.email === account.email) return false;
    if (!(await emails.claim(account.email, account.id))) return false;
    // Another call may take over the claim before this write. As it first sets a new guard on the account, this write then fails.
    const withGuard = { ...current, guard: { $eq: document.guard } };
    const replaced = await replaceOnce(database, accounts, withGuard, nextOf(account));
    const releasedEmail = replaced ? document.email : account.email;
    if (releasedEmail !== undefined) await emails.free(releasedEmail, account.id);
    return replaced;
  };

  const add = async (account: Account): Promise<boolean> => {
    const document = documentOf(account);
    if (document.email === undefined) return insertOnce(database, accounts, document);
    if (!(await emails.claim(document.email, document._id))) return false;
    const added = await insertOnce(database, accounts, document);
    if (!added) await emails.free(document.email, document._id);
    return added;
  };

  return {
    find: async (id) => findByFilter({ _id: is(id) }),
    findByEmail: async (email) => findByFilter({ email: is(email) }),
    listByFormerEmail: async (email) =>
      accountsOf(
        await call(() => accounts.find({ formerEmails: is(email) }, { sort: { _id: 1 } }).toArray()),
      ),
    add,
    addAll: makeAccountBatches(database, emails),
    save: async (account) => {
      const current = currentVersion(account);
      const next = nextOf(account);
      if (next.email !== undefined) {
        const saved = await replaceOnce(database, accounts, { ...current, email: is(next.email) }, next);
        return saved || changeEmail(account);
      }
      // The account becomes a tombstone, which has no email.
      const claims = await emails.claimsOf(account.id);
      const replaced = await replaceOnce(database, accounts, current, next);
      if (replaced) await emails.release(claims);
      return replaced;
    },
    remove: async (account) => {
      const current = currentVersion(account);
      const claims = await emails.claimsOf(account.id);
      // Replaced by a bar, a document without an account. A deletion that is repeated after a lost answer would find nothing, and
      // could not tell who had deleted the account.
      const removed = await replaceOnce(database, accounts, current, barOf(account.id));
      if (removed) await emails.release(claims);
      return removed;
    },
    listWhere: async (condition, most) => {
      const { filter, sort } = queryFor(condition);
      const limit = limitOf(most);
      return accountsOf(await call(() => accounts.find(filter, { sort, limit }).toArray()));
    },
  };
};

/** The field of each fact that is stored only on the accounts for which it holds. */
const FLAGS = { pending: 'isPending', sealed: 'isSealed', billed: 'isBilled' } as const;

const queryFor = (
  condition: AccountCondition,
): { readonly filter: Filter<AccountDocument>; readonly sort: Sort } => {
  switch (condition.fact) {
    case 'claims':
      return { filter: { claimsCounted: { $eq: condition.counted } }, sort: {} };
    case 'billing_due':
      return {
        filter: { billingDueAt: { $lte: integer(condition.now) } },
        sort: { billingDueAt: 1, _id: 1 },
      };
    case 'unverified':
      return {
        filter: { unverifiedSince: { $lt: integer(condition.before) } },
        sort: { unverifiedSince: 1, _id: 1 },
      };
    default: {
      const flag = { [FLAGS[condition.fact]]: { $eq: true } };
      return { filter: { ...flag, _id: { $gt: textOrNull(condition.after) ?? '' } }, sort: { _id: 1 } };
    }
  }
};

/** Matches the account unless another write has raised its version. */
const currentVersion = ({ id, version }: Account) =>
  ({ _id: is(id), 'account.version': equals(version) }) as const;

const nextOf = (account: Account) => documentOf({ ...account, version: account.version + 1 });
