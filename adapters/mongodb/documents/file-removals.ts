import { type Filter, ObjectId } from 'mongodb';
import type { FileStore } from '../../../core/files/ports.ts';
import type { MongoDatabase } from '../engine/client.ts';
import { Unsettled } from '../engine/failures.ts';
import { changeOnce } from '../engine/idempotent-writes.ts';
import { among, is, limitOf } from '../engine/scalars.ts';
import { type FileDocument, filesIn, STANDING, standing } from './file-document.ts';

/**
 * Milliseconds for which a removed record and the mark of its removal stay, so that a repetition of the call finds them.
 * Longer than a call with all its repetitions, and than the difference between the clocks of two machines.
 */
const MARK_STAYS = 60_000;

type Removals = Pick<FileStore, 'remove' | 'removeSome' | 'listRemoved' | 'purge'>;

/** Removal of file records in MongoDB: they are first hidden, and deleted later. */
export const makeFileRemovals = (database: MongoDatabase, markStays = MARK_STAYS): Removals => {
  const { call } = database;
  const files = filesIn(database);

  const idsOf = async (
    filter: Filter<FileDocument>,
    limit: number,
    options: object = {},
  ): Promise<readonly string[]> => {
    const page = { limit: limitOf(limit), batchSize: limit, projection: { _id: 1 }, ...options } as const;
    return (await files.find(filter, page).toArray()).map(({ _id }) => _id);
  };

  /** The records that have the mark. Throws `Unsettled` while some marks are on the primary alone, which may lose them. */
  const marked = async (wanted: readonly string[], write: ObjectId): Promise<readonly string[]> => {
    const filter = { _id: among(wanted), write: { $eq: write } };
    const found = await idsOf(filter, wanted.length);
    if (found.length === wanted.length) return found;
    const seen = await idsOf(filter, wanted.length, { readConcern: { level: 'local' } });
    if (seen.length > found.length) throw new Unsettled();
    return found;
  };

  /** Returns exactly the records that this call removed. */
  const removeThese = (wanted: readonly string[]): Promise<readonly string[]> => {
    const write = new ObjectId();
    const removals = wanted
      .toSorted()
      .map((id) => ({ updateOne: { filter: standing(id), update: { $set: { removed: true, write } } } }));
    return call(async () => {
      const { modifiedCount } = await files.bulkWrite(removals, { ordered: false });
      // Otherwise another call has removed some of them, or an earlier attempt of this one.
      return modifiedCount === wanted.length ? wanted : marked(wanted, write);
    });
  };

  return {
    remove: (id) => changeOnce(database, files, standing(id), { $set: { removed: true } }),
    removeSome: async (user, limit) => {
      for (;;) {
        const some = await call(() => idsOf({ user: is(user), ...STANDING }, limit));
        if (some.length === 0) return [];
        const removed = await removeThese(some);
        // Other calls may have removed all of these while more are left.
        if (removed.length > 0) return removed;
      }
    },
    listRemoved: (limit) => {
      const until = Math.floor((Date.now() - markStays) / 1_000) + 1;
      const filter = { removed: { $eq: true }, write: { $lt: ObjectId.createFromTime(until) } } as const;
      return call(() => idsOf(filter, limit, { sort: { write: 1 } }));
    },
    purge: async (gone) => {
      const filter = { _id: among(gone), removed: { $eq: true } } as const;
      await call(() => files.deleteMany(filter));
    },
  };
};
