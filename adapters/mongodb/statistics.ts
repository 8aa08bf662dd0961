import type { UpdateFilter } from 'mongodb';
import { type CacheReads, type Counts, countsOf, type Statistics } from '../../core/daily-statistics.ts';
import type { TransferredDay } from '../transfer/sections.ts';
import type { MongoDatabase } from './engine/client.ts';
import { changeOnce, type IdempotentDocument, insertOnce } from './engine/idempotent-writes.ts';
import { integer, is, limitOf, text } from './engine/scalars.ts';

export interface DayDocument extends IdempotentDocument, CacheReads {
  /** The day. */
  readonly _id: string;
  /** Null until the first `put` of the day. */
  readonly counted: Counts | null;
  readonly mailWaitingMost: number;
}

/** Converts a day of an export to a document, and back. */
export const dayDocument = ({ day, ...fields }: TransferredDay) => ({ _id: day, ...fields });
export const dayIn = ({ _id: day, write: _write, ...fields }: DayDocument): TransferredDay => ({
  day,
  ...fields,
});

const NOTHING = { counted: null, mailWaitingMost: 0, cacheHits: 0, cacheMisses: 0 };

export const makeMongoStatistics = (database: MongoDatabase): Statistics => {
  const { call, collection } = database;
  const days = collection<DayDocument>('statistics');

  /** Changes the document of the day, and creates a missing document. */
  const change = async (day: string, update: UpdateFilter<DayDocument>): Promise<void> => {
    const filter = { _id: is(day) };
    if (await changeOnce(database, days, filter, update)) return;
    await insertOnce(database, days, { _id: text(day), ...NOTHING });
    await changeOnce(database, days, filter, update);
  };

  return {
    put: async ({ day, mailWaitingMost, ...counted }) => {
      const most = { mailWaitingMost: integer(mailWaitingMost) };
      await change(day, { $set: { counted: countsOf(counted) }, $max: most });
    },
    sweep: async (last) => {
      const old = { _id: { $lte: text(last) } };
      await call(() => days.deleteMany(old));
    },
    add: (day, { cacheHits, cacheMisses }) =>
      change(day, { $inc: { cacheHits: integer(cacheHits), cacheMisses: integer(cacheMisses) } }),
    list: async (from, limit) => {
      const filter = { _id: { $gte: text(from) }, counted: { $ne: null } };
      const documents = await call(() =>
        days.find(filter, { sort: { _id: 1 }, limit: limitOf(limit) }).toArray(),
      );
      return documents.flatMap(({ _id: day, counted, mailWaitingMost, cacheHits, cacheMisses }) =>
        counted === null ? [] : [{ ...counted, day, mailWaitingMost, cacheHits, cacheMisses }],
      );
    },
  };
};
