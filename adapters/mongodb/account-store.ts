import type { Filter, Sort } from 'mongodb';
import type { Account } from '../../core/accounts/account.ts';
import type { AccountStore } from '../../core/accounts/ports.ts';
import { makeAccountBatches } from './documents/account-batches.ts';
import {
  ACCOUNTS,
  type AccountDocument,
  accountIndexes,
  accountOf,
  accountsOf,
  barOf,
  documentOf,
} from './documents/account-document.ts';
import { emailIndexes, makeEmailClaims } from './documents/email-claims.ts';
import type { MongoDatabase } from './engine/client.ts';
import { insertOnce, replaceOnce } from './engine/idempotent-writes.ts';
import type { Indexes } from './engine/indexes.ts';
import { equals, integer, is, limitOf, textOrNull } from './engine/scalars.ts';

export const accountStoreIndexes: Indexes = { ...accountIndexes, ...emailIndexes };

/** Accounts in MongoDB, with the emails they have claimed. */
export const makeMongoAccountStore = (database: MongoDatabase): AccountStore => {
  const { call, collection } = database;
  const accounts = collection<AccountDocument>(ACCOUNTS);
  const emails = makeEmailClaims(database);

  const findByFilter = async (filter: Filter<AccountDocument>): Promise<Account | undefined> => {
    const document = await call(() => accounts.findOne(filter));
    return document === null ? undefined : accountOf(document);
  };
  const list = async (filter: Filter<AccountDocument>, sort: Sort, most: number) => {
    const limit = limitOf(most);
    return accountsOf(await call(() => accounts.find(filter, { sort, limit }).toArray()));
  };
  const listAfter = (fact: Filter<AccountDocument>, after: string | null, limit: number) =>
    list({ ...fact, _id: { $gt: textOrNull(after) ?? '' } }, { _id: 1 }, limit);

  /** Saves an account with a new email. */
  const move = async (account: Account, current: ReturnType<typeof at>): Promise<boolean> => {
    const document = await call(() => accounts.findOne(current, { projection: { email: 1, guard: 1 } }));
    if (document === null || document.email === account.email) return false;
    if (!(await emails.claim(account.email, account.id))) return false;
    const unbarred = { ...current, guard: { $eq: document.guard } };
    const replaced = await replaceOnce(database, accounts, unbarred, nextOf(account));
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
      const current = at(account);
      const next = nextOf(account);
      if (next.email !== undefined) {
        const saved = await replaceOnce(database, accounts, { ...current, email: is(next.email) }, next);
        return saved || move(account, current);
      }
      const claims = await emails.claimsOf(account.id);
      const buried = await replaceOnce(database, accounts, current, next);
      if (buried) await emails.release(claims);
      return buried;
    },
    remove: async (account) => {
      const current = at(account);
      const claims = await emails.claimsOf(account.id);
      // A bar replaces the account: after a lost answer a repetition could not tell whether it had removed the account itself.
      const removed = await replaceOnce(database, accounts, current, barOf(account.id));
      if (removed) await emails.release(claims);
      return removed;
    },
    listPending: async (after, limit) => listAfter({ isPending: { $eq: true } }, after, limit),
    listSealed: async (after, limit) => listAfter({ isSealed: { $eq: true } }, after, limit),
    listByClaims: async (counted, limit) => list({ claimsCounted: { $eq: counted } }, {}, limit),
    listBillingDue: async (now, limit) =>
      list({ billingDueAt: { $lte: integer(now) } }, { billingDueAt: 1, _id: 1 }, limit),
    listBilled: async (after, limit) => listAfter({ isBilled: { $eq: true } }, after, limit),
    listUnverified: async (before, limit) =>
      list({ unverifiedSince: { $lt: integer(before) } }, { unverifiedSince: 1, _id: 1 }, limit),
  };
};

/** Matches the account in this version. */
const at = ({ id, version }: Account) => ({ _id: is(id), 'account.version': equals(version) }) as const;

const nextOf = (account: Account) => documentOf({ ...account, version: account.version + 1 });
