import type { Filter } from 'mongodb';
import { listActive } from '../../core/files/list-active.ts';
import type { Accesses, ActivityPosition, FileActivity } from '../../core/files/ports.ts';
import { partsOf, readRanges } from '../../core/pagination.ts';
import { byId, existingFile, type FileDocument, filesIn, NOT_REMOVED } from './documents/file-document.ts';
import type { MongoDatabase } from './engine/client.ts';
import { among, equals, integer, is, limitOf, text } from './engine/scalars.ts';

/** How many counts one command writes well within the deadline of a call. */
const BATCH = 500;
/** Idempotency keys that a record keeps. A repeated call is recognised if at most 11 others counted the record since. */
const KEPT_KEYS = 12;

const BUSIEST_FIRST = { accesses: -1, accessedAt: -1, _id: 1 } as const;
const COLUMNS = { accesses: 1, accessedAt: 1, bytes: 1 } as const;

/** Read counts in MongoDB, kept with the file records. */
export const makeMongoFileActivity = (database: MongoDatabase): FileActivity => {
  const { call } = database;
  const files = filesIn(database);

  /** Leaves out removed records: one read is cheaper than many writes that match nothing. */
  const leaveOutRemoved = async (accesses: readonly Accesses[]): Promise<readonly Accesses[]> => {
    const filter = { _id: among(accesses.map(({ id }) => id)), ...NOT_REMOVED };
    const page = { batchSize: BATCH, projection: { _id: 1 } } as const;
    const ids = new Set((await call(() => files.find(filter, page).toArray())).map(({ _id }) => _id));
    return accesses.filter(({ id }) => ids.has(id));
  };

  return {
    add: async (accesses, key) => {
      // In the order of ids: some servers lock each record, and calls that write in one order cannot deadlock.
      for (const batch of partsOf(accesses.toSorted(byId), BATCH)) {
        const additions = (await leaveOutRemoved(batch)).map((counted) => additionOf(counted, key));
        if (additions.length > 0) await call(() => files.bulkWrite(additions, { ordered: false }));
      }
    },
    list: async (user, since, after, limit) => {
      const from = integer(since);
      const ranked = (range: Filter<FileDocument>) => async (most: number) => {
        const page = { sort: BUSIEST_FIRST, limit: limitOf(most), batchSize: most, projection: COLUMNS };
        const filter = { user: is(user), ...NOT_REMOVED, ...range };
        return (await call(() => files.find(filter, page).toArray())).map(activityOf);
      };
      // `below` compares no times, so that it reads in the order of the index: `listActive` leaves out what is too old.
      const ranking = {
        ofCount: ({ accesses: count, accessedAt, id }: ActivityPosition, most: number) => {
          const accesses = equals(count);
          return readRanges(most, [
            ranked({ accesses, accessedAt: equals(accessedAt), _id: { $gt: text(id) } }),
            ranked({ accesses, accessedAt: { $gte: from, $lt: accessedAt } }),
          ]);
        },
        below: (accesses: number, most: number) => ranked({ accesses: { $gt: 0, $lt: accesses } })(most),
      };
      return listActive(ranking, from, after, limitOf(limit));
    },
  };
};

/** A repetition skips records that were counted before the answer was lost. */
const additionOf = ({ id, count, lastAt }: Accesses, key: string) => ({
  updateOne: {
    filter: { ...existingFile(id), countedBy: { $ne: text(key) } },
    update: {
      $inc: { accesses: integer(count) },
      $max: { accessedAt: integer(lastAt) },
      $push: { countedBy: { $each: [text(key)], $slice: -KEPT_KEYS } },
    },
  },
});

const activityOf = ({ _id, accesses, accessedAt, bytes }: FileDocument) => ({
  id: _id,
  accesses,
  accessedAt,
  bytes,
});
