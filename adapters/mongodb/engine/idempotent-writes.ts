import {
  type Collection,
  type Filter,
  ObjectId,
  type OptionalUnlessRequiredId,
  type UpdateFilter,
} from 'mongodb';
import type { MongoDatabase } from './client.ts';
import { Unsettled, unlessDuplicate } from './failures.ts';
import { among, limitOf } from './scalars.ts';

export interface IdempotentDocument {
  /** The idempotency key: the id of the last conditional write. A repeated call finds its own if an earlier attempt took effect. */
  readonly write: ObjectId;
}

interface StoredDocument extends IdempotentDocument {
  readonly _id: string | number;
}

/** A filter for the document with this id. */
type FilterById<T extends StoredDocument> = Filter<T> & { readonly _id: { readonly $eq: T['_id'] } };

type WithCall = Pick<MongoDatabase, 'call'>;

/** Inserts a document. False if its `_id` or another unique value is taken. */
export const insertOnce = <T extends StoredDocument>(
  { call }: WithCall,
  collection: Collection<T>,
  document: Omit<T, 'write'> & Pick<T, '_id'>,
): Promise<boolean> => {
  const write = new ObjectId();
  const documentWithKey = { ...document, write } as unknown as OptionalUnlessRequiredId<T>;
  return call(
    async (attempt) =>
      (await unlessDuplicate(collection.insertOne(documentWithKey))) ||
      (attempt > 0 && isOwn(collection, document._id, write)),
  );
};

/** Changes the document if it matches the filter; false otherwise. A repetition does not apply an increment a second time. */
export const changeOnce = <T extends StoredDocument>(
  { call }: WithCall,
  collection: Collection<T>,
  filter: FilterById<T>,
  change: UpdateFilter<T>,
): Promise<boolean> => {
  const write = new ObjectId();
  const changeWithKey = { ...change, $set: { ...change.$set, write } } as UpdateFilter<T>;
  return call(async (attempt) => {
    // `$ne`: passes over a document that an earlier attempt has changed.
    const { matchedCount } = await collection.updateOne({ ...filter, write: { $ne: write } }, changeWithKey);
    return matchedCount > 0 || (attempt > 0 && isOwn(collection, filter._id.$eq, write));
  });
};

/** Replaces the document if it matches the filter; false otherwise. A repetition may replace it once more, by the same document. */
export const replaceOnce = <T extends StoredDocument>(
  { call }: WithCall,
  collection: Collection<T>,
  filter: FilterById<T>,
  document: Omit<T, 'write'>,
): Promise<boolean> => {
  const write = new ObjectId();
  return call(async (attempt) => {
    const { matchedCount } = await collection.replaceOne(filter, { ...document, write } as never);
    return matchedCount > 0 || (attempt > 0 && isOwn(collection, filter._id.$eq, write));
  });
};

/** Deletes at most `most` matching documents, in the order of the field, and returns their number. `filter` has no `_id`. */
export const deleteFirst = async <T extends StoredDocument & { readonly _id: string }>(
  { call }: WithCall,
  collection: Collection<T>,
  filter: Filter<T>,
  field: string,
  most: number,
): Promise<number> => {
  const options = { sort: { [field]: 1 }, limit: limitOf(most), projection: { _id: 1 } } as const;
  const documents = await call(() => collection.find(filter, options).toArray());
  if (documents.length === 0) return 0;
  // Sorted, since some compatible servers lock what a call changes: in one order, parallel calls do not wait in a circle.
  const ids = among(documents.map(({ _id }) => String(_id)).sort());
  // With the filter again, since a document that has changed after the search may no longer be one to delete.
  const { deletedCount } = await call(() => collection.deleteMany({ ...filter, _id: ids } as Filter<T>));
  return deletedCount;
};

/** Whether a majority of servers has the document with the key. Throws `Unsettled` while only the primary has it. */
const isOwn = async <T extends StoredDocument>(
  collection: Collection<T>,
  id: T['_id'],
  write: ObjectId,
): Promise<boolean> => {
  const filter = { _id: { $eq: id }, write: { $eq: write } } as Filter<T>;
  const projection = { _id: 1 };
  if ((await collection.findOne(filter, { projection })) !== null) return true;
  const onPrimary = await collection.findOne(filter, { projection, readConcern: { level: 'local' } });
  if (onPrimary !== null) throw new Unsettled();
  return false;
};
