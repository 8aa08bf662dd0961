import { type Filter, ObjectId } from 'mongodb';
import type { FileStore } from '../../core/files/ports.ts';
import type { MongoDatabase } from './client.ts';
import { Unsettled } from './failures.ts';
import { type FileDocument, filesIn, STANDING, standing } from './file-document.ts';
import { changeOnce } from './idempotent-writes.ts';
import { among, is, limitOf } from './scalars.ts';

/**
 * Milliseconds for which a removed record stays, with the mark of its removal: a repetition of the call looks for it. More
 * than a call takes with all its repetitions, and than the clocks of two machines differ.
 */
const MARK_STAYS = 60_000;

type Removals = Pick<FileStore, 'remove' | 'removeSome' | 'listRemoved' | 'purge'>;

/** How file records leave MongoDB: first from sight, later for good. */
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

  /** Of these, the ones with the mark. Throws `Unsettled` while the primary alone has it on some: it may yet lose it. */
  const marked = async (wanted: readonly string[], write: ObjectId): Promise<readonly string[]> => {
    const filter = { _id: among(wanted), write: { $eq: write } };
    const found = await idsOf(filter, wanted.length);
    if (found.length === wanted.length) return found;
    const seen = await idsOf(filter, wanted.length, { readConcern: { level: 'local' } });
    if (seen.length > found.length) throw new Unsettled();
    return found;
  };

  /** Gives those that this call removed, and no other. */
  const removeThese = (wanted: readonly string[]): Promise<readonly string[]> => {
    const write = new ObjectId();
    const removals = wanted
      .toSorted()
      .map((id) => ({ updateOne: { filter: standing(id), update: { $set: { removed: true, write } } } }));
    return call(async () => {
      const { modifiedCount } = await files.bulkWrite(removals, { ordered: false });
      // Otherwise another call took some, or an attempt before this one.
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
        // Others may have taken all of these, and left more.
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
