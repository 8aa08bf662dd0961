import { type Filter, ObjectId } from 'mongodb';
import type { FileStore } from '../../../core/files/ports.ts';
import { readRanges } from '../../../core/pagination.ts';
import type { MongoDatabase } from '../engine/client.ts';
import { Unsettled } from '../engine/failures.ts';
import { changeOnce } from '../engine/idempotent-writes.ts';
import { among, is, limitOf } from '../engine/scalars.ts';
import { existingFile, type FileDocument, filesIn, NOT_REMOVED } from './file-document.ts';

/**
 * How long a removed record stays, so that a repeated call finds its idempotency key: longer than all repetitions of a call take,
 * and longer than the clocks of two processes differ.
 */
const KEY_LIFE_MS = 60_000;

/** `accesses: 0` takes the record out of the lists of active files. */
const REMOVAL = { removed: true, accesses: 0 } as const;

const IS_REMOVED = { removed: { $eq: true } } as const;

type Removals = Pick<FileStore, 'remove' | 'removeSome' | 'listRemoved' | 'purge'>;

/** Removal of file records in MongoDB: they are first hidden, and deleted later. */
export const makeFileRemovals = (database: MongoDatabase, keyLife = KEY_LIFE_MS): Removals => {
  const { call } = database;
  const files = filesIn(database);

  /** Matches records whose idempotency key (`write`) no repetition looks for any more. */
  const pastRepetition = () => {
    // A key is an `ObjectId`, which holds its time in whole seconds: all keys of one second expire together, some of them up to a
    // second early.
    const firstLivingSecond = Math.floor((Date.now() - keyLife) / 1_000) + 1;
    return { write: { $lt: ObjectId.createFromTime(firstLivingSecond) } };
  };

  const idsOf = async (
    filter: Filter<FileDocument>,
    limit: number,
    options: object = {},
  ): Promise<readonly string[]> => {
    const page = { limit: limitOf(limit), batchSize: limit, projection: { _id: 1 }, ...options } as const;
    return (await files.find(filter, page).toArray()).map(({ _id }) => _id);
  };

  /** The records with the idempotency key. Throws `Unsettled` while the primary alone has some of them, and may lose them. */
  const idsWrittenBy = async (ids: readonly string[], write: ObjectId): Promise<readonly string[]> => {
    const filter = { _id: among(ids), write: { $eq: write } };
    const confirmed = await idsOf(filter, ids.length);
    if (confirmed.length === ids.length) return confirmed;
    const onPrimary = await idsOf(filter, ids.length, { readConcern: { level: 'local' } });
    if (onPrimary.length > confirmed.length) throw new Unsettled();
    return confirmed;
  };

  /** Returns exactly the records that this call removed. */
  const removeIds = (ids: readonly string[]): Promise<readonly string[]> => {
    const write = new ObjectId();
    const removals = ids
      // Some compatible servers lock what a call changes: in one order of ids, parallel calls do not wait in a circle.
      .toSorted()
      .map((id) => ({ updateOne: { filter: existingFile(id), update: { $set: { ...REMOVAL, write } } } }));
    return call(async () => {
      const { modifiedCount } = await files.bulkWrite(removals, { ordered: false });
      // If fewer were modified, another call or an earlier attempt of this call has removed the others.
      return modifiedCount === ids.length ? ids : idsWrittenBy(ids, write);
    });
  };

  return {
    remove: (id) => changeOnce(database, files, existingFile(id), { $set: REMOVAL }),
    removeSome: async (user, limit) => {
      for (;;) {
        const page = await call(() => idsOf({ user: is(user), ...NOT_REMOVED }, limit));
        if (page.length === 0) return [];
        const removed = await removeIds(page);
        // Other calls may have removed all records of this page; the next page may have more.
        if (removed.length > 0) return removed;
      }
    },
    listRemoved: async (limit) => {
      // First records that the cache may still have, then records whose idempotency key is no longer needed.
      const oldestFirst = { sort: { write: 1 } } as const;
      const ranges = [{ uncached: { $eq: null } }, { uncached: { $eq: true }, ...pastRepetition() }].map(
        (range) => (most: number) =>
          call(() => idsOf({ ...IS_REMOVED, ...range } as Filter<FileDocument>, most, oldestFirst)),
      );
      return readRanges(limitOf(limit), ranges);
    },
    // The cache no longer has these records. A record whose idempotency key a repetition may still look for is only marked as
    // uncached: a later call purges it.
    purge: async (ids) => {
      const filter = { _id: among(ids), ...IS_REMOVED };
      await call(() => files.deleteMany({ ...filter, ...pastRepetition() }));
      await call(() => files.updateMany(filter, { $set: { uncached: true } }));
    },
  };
};
