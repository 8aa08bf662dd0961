import { type Collection, type Filter, ObjectId } from 'mongodb';
import type { Account } from '../../../core/accounts/account.ts';
import { firstOfEachEmail } from '../../../core/accounts/account-facts.ts';
import { partsOf } from '../../../core/pagination.ts';
import { BULK_MS } from '../../calls/store-calls.ts';
import type { MongoDatabase } from '../engine/client.ts';
import { isDuplicateOfMany, Unsettled } from '../engine/failures.ts';
import { among, text } from '../engine/scalars.ts';
import { ACCOUNTS, type AccountDocument, documentOf } from './account-document.ts';
import { EMAILS, type EmailClaim, type makeEmailClaims } from './email-claims.ts';

/** Documents that one call writes. */
const BATCH = 256;
/** Claims taken over in parallel. */
const PARALLEL_CLAIMS = 16;

/** Some compatible servers lock what a call writes: in one order of writes, parallel calls do not wait in a circle. */
const byId = (a: { readonly _id: string }, b: { readonly _id: string }) => (a._id < b._id ? -1 : 1);

/** The ids of the matching documents, `most` or fewer. Throws `Unsettled` while the primary alone has some, and may lose them. */
const idsOf = async <T extends { readonly _id: string }>(
  collection: Collection<T>,
  filter: Filter<T>,
  most: number,
): Promise<ReadonlySet<string>> => {
  const page = { projection: { _id: 1 }, batchSize: most } as const;
  const documents = await collection.find(filter, page).toArray();
  if (documents.length < most) {
    const onPrimary = await collection.find(filter, { ...page, readConcern: { level: 'local' } }).toArray();
    if (onPrimary.length > documents.length) throw new Unsettled();
  }
  return new Set(documents.map(({ _id }) => String(_id)));
};

const emailsOf = (batch: readonly Account[]): readonly string[] => batch.map(({ email }) => email);

/** Adds many accounts with few calls, each by the steps of a single addition: claim the email, insert, or free the email. */
export const makeAccountBatches = (
  { call, collection }: MongoDatabase,
  { claim, free }: Pick<ReturnType<typeof makeEmailClaims>, 'claim' | 'free'>,
) => {
  const accounts = collection<AccountDocument>(ACCOUNTS);
  const emails = collection<EmailClaim>(EMAILS);

  /** Inserts the documents whose ids are free. Returns the ids of documents that match `writtenHere` afterwards. */
  const insertAll = async <T extends { readonly _id: string }>(
    into: Collection<T>,
    documents: readonly T[],
    writtenHere: Filter<T>,
  ): Promise<ReadonlySet<string>> => {
    const ids = documents.map(({ _id }) => _id);
    return call(async () => {
      try {
        await into.insertMany(documents as never, { ordered: false });
        return new Set(ids);
      } catch (error) {
        if (!isDuplicateOfMany(error)) throw error;
        // Not every server reports which documents were duplicates: read which documents this call wrote.
        return idsOf(into, { _id: among(ids), ...writtenHere } as Filter<T>, ids.length);
      }
    }, BULK_MS);
  };

  /** Claims the emails that have no claim yet, and returns them. */
  const claimFresh = async (batch: readonly Account[]): Promise<ReadonlySet<string>> => {
    const claimId = new ObjectId();
    const claims = batch
      .map(({ id, email }) => ({ _id: text(email), userId: text(id), mark: claimId }))
      .sort(byId);
    return insertAll(emails, claims, { mark: { $eq: claimId } } as Filter<EmailClaim>);
  };

  const findTakenEmails = async (batch: readonly Account[]): Promise<ReadonlySet<string>> => {
    const filter = { email: among(emailsOf(batch)) };
    const options = { projection: { email: 1 }, batchSize: batch.length } as const;
    const documents = await call(() => accounts.find(filter, options).toArray(), BULK_MS);
    return new Set(documents.flatMap(({ email }) => email ?? []));
  };

  /** Takes over claimed emails that no account has. Returns the accounts that get their emails. */
  const takeOver = async (batch: readonly Account[]): Promise<readonly Account[]> => {
    const takenEmails = await findTakenEmails(batch);
    const vacant = batch.filter(({ email }) => !takenEmails.has(email));
    if (vacant.length === 0) return [];
    // A failed call may have claimed the email for the same account: that claim is valid.
    const ownClaims = { _id: among(emailsOf(vacant)), userId: among(vacant.map(({ id }) => id)) };
    const ownedEmails = await call(() => idsOf(emails, ownClaims, vacant.length), BULK_MS);
    const claimed = vacant.filter(({ email }) => ownedEmails.has(email));
    const others = vacant.filter((account) => !claimed.includes(account));
    for (const group of partsOf(others, PARALLEL_CLAIMS)) {
      const outcomes = await Promise.all(group.map(({ id, email }) => claim(email, id)));
      claimed.push(...group.filter((_, index) => outcomes[index]));
    }
    return claimed;
  };

  const insertBatch = async (batch: readonly Account[]): Promise<ReadonlySet<string>> => {
    const write = new ObjectId();
    const documents = batch.map((account) => ({ ...documentOf(account), write })).sort(byId);
    return insertAll(accounts, documents, { write: { $eq: write } } as Filter<AccountDocument>);
  };

  const addBatch = async (
    batch: readonly Account[],
    before: (next: readonly Account[]) => Promise<void>,
  ): Promise<ReadonlySet<string>> => {
    const candidates = firstOfEachEmail(batch);
    const freshEmails = await claimFresh(candidates);
    const fresh = candidates.filter(({ email }) => freshEmails.has(email));
    const others = candidates.filter(({ email }) => !freshEmails.has(email));
    const takenOver = others.length === 0 ? [] : await takeOver(others);
    const toInsert = [...fresh, ...takenOver];
    if (toInsert.length === 0) return new Set();
    await before(toInsert);
    const added = await insertBatch(toInsert);
    for (const { id, email } of toInsert) if (!added.has(id)) await free(email, id);
    return added;
  };

  /** `before` is called with the accounts of each batch that are about to be inserted. None of `all` is a tombstone. */
  return async (
    all: readonly Account[],
    before: (next: readonly Account[]) => Promise<void>,
  ): Promise<readonly boolean[]> => {
    const added = new Set<string>();
    for (const batch of partsOf(all, BATCH)) {
      const ids = await addBatch(batch, before);
      for (const id of ids) added.add(id);
    }
    return all.map(({ id }) => added.has(id));
  };
};
