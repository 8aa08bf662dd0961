import type { UpdateFilter } from 'mongodb';
import {
  type CacheReads,
  type Counts,
  countsOf,
  daysBefore,
  KEPT_DAYS,
  type Statistics,
} from '../../../core/statistics.ts';
import type { MovedDay } from '../../moving/sections.ts';
import type { MongoDatabase } from '../engine/client.ts';
import { changeOnce, insertOnce, type Written } from '../engine/idempotent-writes.ts';
import { is, limitOf, text, whole } from '../engine/scalars.ts';
import type { Indexes } from '../engine/schema.ts';

export interface DayDocument extends Written, CacheReads {
  /** The day. */
  readonly _id: string;
  /** Null until something was put. */
  readonly counted: Counts | null;
  readonly mailWaitingMost: number;
}

/** A day as it is moved, and back. */
export const dayDocument = ({ day, ...figures }: MovedDay) => ({ _id: day, ...figures });
export const dayIn = ({ _id: day, write: _mark, ...figures }: DayDocument): MovedDay => ({ day, ...figures });

export const statisticsIndexes = { statistics: [] } satisfies Indexes;

const NOTHING = { counted: null, mailWaitingMost: 0, cacheHits: 0, cacheMisses: 0 };

/** Statistics in MongoDB. */
export const makeMongoStatistics = (database: MongoDatabase): Statistics => {
  const { call, collection } = database;
  const days = collection<DayDocument>('statistics');

  /** Makes the document of the day where there is none. */
  const change = async (day: string, how: UpdateFilter<DayDocument>): Promise<void> => {
    const filter = { _id: is(day) };
    if (await changeOnce(database, days, filter, how)) return;
    await insertOnce(database, days, { _id: text(day), ...NOTHING });
    await changeOnce(database, days, filter, how);
  };

  return {
    put: async ({ day, mailWaitingMost, ...counted }) => {
      const most = { mailWaitingMost: whole(mailWaitingMost) };
      await change(day, { $set: { counted: countsOf(counted) }, $max: most });
      await call(() => days.deleteMany({ _id: { $lte: daysBefore(day, KEPT_DAYS) } }));
    },
    add: (day, { cacheHits, cacheMisses }) =>
      change(day, { $inc: { cacheHits: whole(cacheHits), cacheMisses: whole(cacheMisses) } }),
    list: async (from, limit) => {
      const filter = { _id: { $gte: text(from) }, counted: { $ne: null } };
      const found = await call(() =>
        days.find(filter, { sort: { _id: 1 }, limit: limitOf(limit) }).toArray(),
      );
      return found.flatMap(({ _id: day, counted, mailWaitingMost, cacheHits, cacheMisses }) =>
        counted === null ? [] : [{ ...counted, day, mailWaitingMost, cacheHits, cacheMisses }],
      );
    },
  };
};
