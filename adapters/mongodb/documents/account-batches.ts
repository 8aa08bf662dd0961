import { type Collection, type Filter, ObjectId } from 'mongodb';
import type { Account } from '../../../core/accounts/account.ts';
import { BULK, type MongoDatabase } from '../engine/client.ts';
import { isDuplicateOfMany, Unsettled } from '../engine/failures.ts';
import { among, text } from '../engine/scalars.ts';
import { ACCOUNTS, type AccountDocument, documentOf } from './account-document.ts';
import { EMAILS, type EmailClaim, type makeEmailClaims } from './email-claims.ts';

/** Documents that one call writes. */
const AT_ONCE = 256;
/** Claims that are taken over in parallel. */
const CLAIMS_AT_ONCE = 16;

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

const emailsOf = (some: readonly Account[]): readonly string[] => some.map(({ email }) => email);

const inBatches = <T>(all: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, place) =>
    all.slice(place * size, (place + 1) * size),
  );

/** Adds many accounts with few calls, each account as a single call does it. */
export const makeAccountBatches = (
  { call, collection }: MongoDatabase,
  { claim, free }: Pick<ReturnType<typeof makeEmailClaims>, 'claim' | 'free'>,
) => {
  const accounts = collection<AccountDocument>(ACCOUNTS);
  const emails = collection<EmailClaim>(EMAILS);

  /** Inserts the documents whose ids are free. Returns the ids of documents that match `ours` afterwards. */
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
        // Not every server says which documents were duplicates: read which ones are ours.
        return idsOf(into, { _id: among(ids), ...ours } as Filter<T>, ids.length);
      }
    }, BULK);
  };

  const claimFresh = async (some: readonly Account[]): Promise<ReadonlySet<string>> => {
    const mark = new ObjectId();
    const claims = some.map(({ id, email }) => ({ _id: text(email), userId: text(id), mark })).sort(byId);
    return insertAll(emails, claims, { mark: { $eq: mark } } as Filter<EmailClaim>);
  };

  const taken = async (some: readonly Account[]): Promise<ReadonlySet<string>> => {
    const filter = { email: among(emailsOf(some)) };
    const options = { projection: { email: 1 }, batchSize: some.length } as const;
    const found = await call(() => accounts.find(filter, options).toArray(), BULK);
    return new Set(found.flatMap(({ email }) => email ?? []));
  };

  /** Claimed emails that no account has, and that these accounts therefore get. */
  const takeOver = async (some: readonly Account[]): Promise<readonly Account[]> => {
    const has = await taken(some);
    const left = some.filter(({ email }) => !has.has(email));
    if (left.length === 0) return [];
    // A failed call may have claimed the email for the same account: go on from there.
    const own = { _id: among(emailsOf(left)), userId: among(left.map(({ id }) => id)) };
    const owned = await call(() => idsOf(emails, own, left.length), BULK);
    const claimed = left.filter(({ email }) => owned.has(email));
    const others = left.filter((account) => !claimed.includes(account));
    for (const few of inBatches(others, CLAIMS_AT_ONCE)) {
      const outcomes = await Promise.all(few.map(({ id, email }) => claim(email, id)));
      claimed.push(...few.filter((_, place) => outcomes[place]));
    }
    return claimed;
  };

  const insertSome = async (some: readonly Account[]): Promise<ReadonlySet<string>> => {
    const write = new ObjectId();
    const documents = some.map((account) => ({ ...documentOf(account), write })).sort(byId);
    return insertAll(accounts, documents, { write: { $eq: write } } as Filter<AccountDocument>);
  };

  const addSome = async (
    some: readonly Account[],
    before: (next: readonly Account[]) => Promise<void>,
  ): Promise<ReadonlySet<string>> => {
    // If several accounts have the same email, the first one gets it, as in single calls one after the other.
    const first = new Map(some.toReversed().map((account) => [account.email, account]));
    const wanting = some.filter((account) => first.get(account.email) === account);
    const fresh = await claimFresh(wanting);
    const others = wanting.filter(({ email }) => !fresh.has(email));
    const takenOver = others.length === 0 ? [] : await takeOver(others);
    const next = [...wanting.filter(({ email }) => fresh.has(email)), ...takenOver];
    if (next.length === 0) return new Set();
    await before(next);
    const added = await insertSome(next);
    for (const { id, email } of next) if (!added.has(id)) await free(email, id);
    return added;
  };

  /** As the port says. None is a tombstone. */
  return async (
    all: readonly Account[],
    before: (next: readonly Account[]) => Promise<void>,
  ): Promise<readonly boolean[]> => {
    const added = new Set<string>();
    for (const some of inBatches(all, AT_ONCE)) for (const id of await addSome(some, before)) added.add(id);
    return all.map(({ id }) => added.has(id));
  };
};
