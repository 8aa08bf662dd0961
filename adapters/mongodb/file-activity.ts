import type { Filter } from 'mongodb';
import type { Accesses, ActivityPosition, FileActivity } from '../../core/files/ports.ts';
import { readRanges } from '../../core/pages.ts';
import { type FileDocument, filesIn, STANDING, standing } from './documents/file-document.ts';
import type { MongoDatabase } from './engine/client.ts';
import { among, equals, is, limitOf, text, whole } from './engine/scalars.ts';

/** How many counts one command writes well within the deadline of a call. */
const BATCH = 500;
/** Marks that a record keeps. That many other processes may count it between a call and its repetition. */
const MARKS = 12;

const BUSIEST_FIRST = { accesses: -1, accessedAt: -1, _id: 1 } as const;
const COLUMNS = { accesses: 1, accessedAt: 1, bytes: 1 } as const;

/** Read counts in MongoDB, kept with the file records. */
export const makeMongoFileActivity = (database: MongoDatabase): FileActivity => {
  const { call } = database;
  const files = filesIn(database);

  /** Leaves out records that are gone: one read is cheaper than many writes that match nothing. */
  const present = async (accesses: readonly Accesses[]): Promise<readonly Accesses[]> => {
    const filter = { _id: among(accesses.map(({ id }) => id)), ...STANDING };
    const page = { batchSize: BATCH, projection: { _id: 1 } } as const;
    const ids = new Set((await call(() => files.find(filter, page).toArray())).map(({ _id }) => _id));
    return accesses.filter(({ id }) => ids.has(id));
  };

  return {
    add: async (accesses, mark) => {
      const sorted = accesses.toSorted(byId);
      for (let from = 0; from < sorted.length; from += BATCH) {
        const some = sorted.slice(from, from + BATCH);
        const additions = (await present(some)).map((one) => additionOf(one, mark));
        if (additions.length > 0) await call(() => files.bulkWrite(additions, { ordered: false }));
      }
    },
    list: async (user, since, after, limit) => {
      const active = { user: is(user), ...STANDING, accessedAt: { $gte: whole(since) } };
      const ranges = behind(after, since).map((range) => async (most: number) => {
        const page = { sort: BUSIEST_FIRST, limit: limitOf(most), batchSize: most, projection: COLUMNS };
        return (await call(() => files.find({ ...active, ...range }, page).toArray())).map(activityOf);
      });
      return readRanges(limitOf(limit), ranges);
    },
  };
};

const byId = (one: Accesses, other: Accesses): number => {
  if (one.id === other.id) return 0;
  return one.id < other.id ? -1 : 1;
};

/** A repetition skips records that were counted before the answer was lost. */
const additionOf = ({ id, count, lastAt }: Accesses, mark: string) => ({
  updateOne: {
    filter: { ...standing(id), countedBy: { $ne: text(mark) } },
    update: {
      $inc: { accesses: whole(count) },
      $max: { accessedAt: whole(lastAt) },
      $push: { countedBy: { $each: [text(mark)], $slice: -MARKS } },
    },
  },
});

/** Records after a position: as often and at the same moment, as often but earlier, less often. */
const behind = (after: ActivityPosition | null, since: number): readonly Filter<FileDocument>[] => {
  if (after === null) return [{ accesses: { $gt: 0 } }];
  const accesses = equals(after.accesses);
  return [
    { accesses, accessedAt: equals(after.accessedAt), _id: { $gt: text(after.id) } },
    { accesses, accessedAt: { $gte: since, $lt: after.accessedAt } },
    { accesses: { $gt: 0, $lt: after.accesses } },
  ];
};

const activityOf = ({ _id, accesses, accessedAt, bytes }: FileDocument) => ({
  id: _id,
  accesses,
  accessedAt,
  bytes,
});
