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
import { equals, is, limitOf, textOrNull, whole } from './engine/scalars.ts';
import type { Indexes } from './engine/schema.ts';

export const accountStoreIndexes: Indexes = { ...accountIndexes, ...emailIndexes };

/** Accounts in MongoDB, with the emails they have claimed. */
export const makeMongoAccountStore = (database: MongoDatabase): AccountStore => {
  const { call, collection } = database;
  const accounts = collection<AccountDocument>(ACCOUNTS);
  const emails = makeEmailClaims(database);

  const findOne = async (filter: Filter<AccountDocument>): Promise<Account | undefined> => {
    const found = await call(() => accounts.findOne(filter));
    return found === null ? undefined : accountOf(found);
  };
  const list = async (filter: Filter<AccountDocument>, sort: Sort, most: number) => {
    const limit = limitOf(most);
    return accountsOf(await call(() => accounts.find(filter, { sort, limit }).toArray()));
  };
  const listAfter = (fact: Filter<AccountDocument>, after: string | null, limit: number) =>
    list({ ...fact, _id: { $gt: textOrNull(after) ?? '' } }, { _id: 1 }, limit);

  /** Saves an account whose email changes. */
  const move = async (account: Account, seen: ReturnType<typeof at>): Promise<boolean> => {
    const found = await call(() => accounts.findOne(seen, { projection: { email: 1, guard: 1 } }));
    if (found === null || found.email === account.email) return false;
    if (!(await emails.claim(account.email, account.id))) return false;
    const unbarred = { ...seen, guard: { $eq: found.guard } };
    const moved = await replaceOnce(database, accounts, unbarred, nextOf(account));
    const left = moved ? found.email : account.email;
    if (left !== undefined) await emails.free(left, account.id);
    return moved;
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
    find: async (id) => findOne({ _id: is(id) }),
    findByEmail: async (email) => findOne({ email: is(email) }),
    listByFormerEmail: async (email) =>
      accountsOf(
        await call(() => accounts.find({ formerEmails: is(email) }, { sort: { _id: 1 } }).toArray()),
      ),
    add,
    addAll: makeAccountBatches(database, emails),
    save: async (account) => {
      const seen = at(account);
      const next = nextOf(account);
      if (next.email !== undefined) {
        const saved = await replaceOnce(database, accounts, { ...seen, email: is(next.email) }, next);
        return saved || move(account, seen);
      }
      const claims = await emails.of(account.id);
      const buried = await replaceOnce(database, accounts, seen, next);
      if (buried) await emails.giveBack(claims);
      return buried;
    },
    remove: async (account) => {
      const seen = at(account);
      const claims = await emails.of(account.id);
      // Replaced by a bar: after a lost answer a repetition could not tell whether a removal was its own.
      const removed = await replaceOnce(database, accounts, seen, barOf(account.id));
      if (removed) await emails.giveBack(claims);
      return removed;
    },
    listPending: async (after, limit) => listAfter({ isPending: { $eq: true } }, after, limit),
    listSealed: async (after, limit) => listAfter({ isSealed: { $eq: true } }, after, limit),
    listByClaims: async (counted, limit) => list({ claimsCounted: { $eq: counted } }, {}, limit),
    listBillingDue: async (now, limit) =>
      list({ billingDueAt: { $lte: whole(now) } }, { billingDueAt: 1, _id: 1 }, limit),
    listBilled: async (after, limit) => listAfter({ isBilled: { $eq: true } }, after, limit),
    listUnverified: async (before, limit) =>
      list({ unverifiedSince: { $lt: whole(before) } }, { unverifiedSince: 1, _id: 1 }, limit),
  };
};

/** The account with the id, at the version. */
const at = ({ id, version }: Account) => ({ _id: is(id), 'account.version': equals(version) }) as const;

const nextOf = (account: Account) => documentOf({ ...account, version: account.version + 1 });
