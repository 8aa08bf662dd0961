import { type Collection, type Filter, ObjectId, type UpdateFilter } from 'mongodb';
import type { Account } from '../../core/accounts/account.ts';
import { ACCOUNTS, type AccountDocument, documentOf } from './account-document.ts';
import { BULK, type MongoDatabase } from './client.ts';
import { EMAILS, type EmailClaim } from './email-claims.ts';
import { isDuplicateOfMany, Unsettled } from './failures.ts';
import { among, equals, text } from './scalars.ts';

/** Documents of one call. */
const AT_ONCE = 250;

const byId = (one: { readonly _id: string }, other: { readonly _id: string }) =>
  one._id < other._id ? -1 : 1;

/** Those of the documents that meet the condition. Throws `Unsettled` while the primary alone says so of some. */
const idsOf = async <T extends { readonly _id: string }>(
  collection: Collection<T>,
  filter: Filter<T>,
  most: number,
): Promise<ReadonlySet<string>> => {
  const page = { projection: { _id: 1 }, batchSize: most } as const;
  const found = await collection.find(filter, page).toArray();
  if (found.length < most) {
    const seen = await collection.find(filter, { ...page, readConcern: { level: 'local' } }).toArray();
    if (seen.length > found.length) throw new Unsettled();
  }
  return new Set(found.map(({ _id }) => String(_id)));
};

const inBatches = (all: readonly Account[]): readonly (readonly Account[])[] =>
  Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, place) =>
    all.slice(place * AT_ONCE, (place + 1) * AT_ONCE),
  );

/** Writes of many accounts at once, each as the single write does it, and known again by marks as they are. */
export const makeAccountBatches = ({ call, collection }: MongoDatabase) => {
  const accounts = collection<AccountDocument>(ACCOUNTS);
  const emails = collection<EmailClaim>(EMAILS);

  /** Inserts those whose ids, or other unique values, are not taken; gives the ids of those that are there by it. */
  const insertAll = async <T extends { readonly _id: string }>(
    into: Collection<T>,
    documents: readonly T[],
    ours: Filter<T>,
  ): Promise<ReadonlySet<string>> => {
    const ids = documents.map(({ _id }) => _id);
    return call(async () => {
      try {
        await into.insertMany(documents as never, { ordered: false });
        return new Set(ids);
      } catch (error) {
        if (!isDuplicateOfMany(error)) throw error;
        // Which it was is read, since not every server says it.
        return idsOf(into, { _id: among(ids), ...ours } as Filter<T>, ids.length);
      }
    }, BULK);
  };

  const addSome = async (some: readonly Account[]): Promise<ReadonlySet<string>> => {
    const [mark, write] = [new ObjectId(), new ObjectId()];
    // Of those that want the same one the first gets it, as if they came one after the other.
    const first = new Map(some.toReversed().map((account) => [account.email, account]));
    const wanting = [...first.values()].filter(({ deletedAt }) => deletedAt === null);
    const claims = wanting.map(({ id, email }) => ({ _id: text(email), userId: text(id), mark })).sort(byId);
    if (claims.length === 0) return new Set();
    const claimed = await insertAll(emails, claims, { mark: { $eq: mark } } as Filter<EmailClaim>);
    const documents = wanting
      .filter(({ email }) => claimed.has(email))
      .map((account) => ({ ...documentOf(account), write }))
      .sort(byId);
    if (documents.length === 0) return new Set();
    return insertAll(accounts, documents, { write: { $eq: write } } as Filter<AccountDocument>);
  };

  /** A repetition finds another version, and changes nothing. */
  const settleSome = async (some: readonly Account[], version: number, isAll: boolean): Promise<void> => {
    const filter = { _id: among(some.map(({ id }) => id).sort()), 'account.version': equals(version) };
    const change = {
      $pull: { 'account.pending': { kind: { $eq: 'audit' } } },
      $inc: { 'account.version': 1 },
      $set: { write: new ObjectId() },
      ...(isAll && { $unset: { isPending: '' } }),
    };
    await call(() => accounts.updateMany(filter, change as unknown as UpdateFilter<AccountDocument>), BULK);
  };

  return {
    /** Adds accounts whose emails nobody has claimed; gives the ids of those that were added. */
    addUnclaimed: async (all: readonly Account[]): Promise<ReadonlySet<string>> => {
      const added = new Set<string>();
      for (const some of inBatches(all)) for (const id of await addSome(some)) added.add(id);
      return added;
    },
    /** Takes audit entries out of what is pending of accounts that still are at their version. */
    settleAudit: async (all: readonly Account[]): Promise<void> => {
      for (const version of new Set(all.map((account) => account.version))) {
        const ofVersion = all.filter((account) => account.version === version);
        for (const isAll of [true, false]) {
          const alike = ofVersion.filter(
            ({ pending }) => pending.every(({ kind }) => kind === 'audit') === isAll,
          );
          for (const some of inBatches(alike)) await settleSome(some, version, isAll);
        }
      }
    },
    /** Those of the emails that accounts have. */
    taken: async (wanted: readonly string[]): Promise<ReadonlySet<string>> => {
      const options = { projection: { email: 1 }, batchSize: wanted.length } as const;
      const found = await call(() => accounts.find({ email: among(wanted) }, options).toArray(), BULK);
      return new Set(found.flatMap(({ email }) => email ?? []));
    },
  };
};
