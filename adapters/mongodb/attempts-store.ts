import { type Filter, ObjectId } from 'mongodb';
import { type Attempts, latestStart } from '../../core/accounts/account.ts';
import type { AttemptLimit, AttemptsStore } from '../../core/accounts/ports.ts';
import { decoyKey } from '../../core/accounts/throttle-keys.ts';
import { remoteStoreUnavailable } from '../calls/store-calls.ts';
import type { MongoDatabase } from './engine/client.ts';
import { unlessDuplicate } from './engine/failures.ts';
import { changeOnce, deleteFirst, type IdempotentDocument } from './engine/idempotent-writes.ts';
import { among, equals, integer, is, text } from './engine/scalars.ts';

export interface AttemptsDocument extends IdempotentDocument, Attempts {
  /** The throttle key: what is counted, with digests for emails. */
  readonly _id: string;
  readonly endsAt: number;
}

/** The most turns of one call. A turn fails only if another call has begun or removed a window meanwhile. */
const MOST_TURNS = 100;

/** Counts of failed attempts in MongoDB. */
export const makeMongoAttemptsStore = (database: MongoDatabase): AttemptsStore => {
  const { call } = database;
  const attempts = database.collection<AttemptsDocument>('tries');

  /** Counts an attempt in the current window; undefined without a current window. */
  const countOn = async (key: string, now: number, write: ObjectId): Promise<Attempts | undefined> => {
    const change = { $inc: { count: 1 }, $set: { write } };
    const counted = await attempts.findOneAndUpdate({ _id: is(key), ...inWindow(now) }, change, {
      returnDocument: 'after',
    });
    return counted === null ? undefined : attemptsOf(counted);
  };

  /** Begins a window unless a window is current; undefined if another call has begun a window. */
  const beginWindow = async (key: string, firstAt: number, endsAt: number, write: ObjectId) => {
    const window = { count: 1, firstAt, endsAt, write };
    const ended = { _id: is(key), ...notInWindow(firstAt) };
    const hasBegun = await unlessDuplicate(attempts.updateOne(ended, { $set: window }, { upsert: true }));
    return hasBegun ? attemptsOf(window) : undefined;
  };

  const add = async (key: string, milliseconds: number, now: number): Promise<Attempts> => {
    const endsAt = integer(now) + integer(milliseconds);
    const write = new ObjectId();
    return call(async (attempt) => {
      // A repetition does not count twice, unless another call has counted since: then the count is one too high.
      const earlier = attempt > 0 ? await attempts.findOne({ _id: is(key), write: { $eq: write } }) : null;
      if (earlier !== null) return attemptsOf(earlier);
      for (let turn = 0; turn < MOST_TURNS; turn += 1) {
        const counted = (await countOn(key, now, write)) ?? (await beginWindow(key, now, endsAt, write));
        if (counted !== undefined) return counted;
      }
      throw remoteStoreUnavailable();
    });
  };

  /** The index of the last key to count: the first key that has reached its limit, or else the last of all keys. */
  const lastToCount = async (counts: readonly AttemptLimit[], now: number): Promise<number> => {
    const current = { _id: among(counts.map(({ key }) => key)), ...inWindow(now) };
    const documents = await call(() => attempts.find(current).toArray());
    const countsByKey = new Map(documents.map(({ _id, count }) => [_id, count]));
    const firstFull = counts.findIndex(({ key, most }) => (countsByKey.get(key) ?? 0) >= integer(most));
    return firstFull === -1 ? counts.length - 1 : firstFull;
  };

  /** Removes one attempt from the window that began at `firstAt`, unless another window has replaced it. */
  const takeBack = ({ key, firstAt }: { readonly key: string; readonly firstAt: number }) => {
    const window = { _id: is(key), firstAt: equals(firstAt), count: { $gt: 0 } };
    return changeOnce(database, attempts, window, { $inc: { count: -1 } });
  };

  return {
    find: async (key, now) => {
      const document = await call(() => attempts.findOne({ _id: is(key), ...inWindow(now) }));
      return document === null ? undefined : attemptsOf(document);
    },
    add,
    // All keys are counted at once, since each write waits for the journal. Keys behind a full key get decoy writes instead, so
    // that a refused attempt costs as many writes as an allowed one. If parallel calls together exceed the limit of a key, the
    // counts of the keys behind it are taken back.
    addInTurn: async (counts, milliseconds, now) => {
      const last = await lastToCount(counts, now);
      const countedWrites = counts
        .slice(0, last + 1)
        .map(async ({ key, most }) => ({ key, most, ...(await add(key, milliseconds, now)) }));
      const decoyWrites = counts.slice(last + 1).map(({ key }) => add(decoyKey(key), milliseconds, now));
      const [counted] = await Promise.all([Promise.all(countedWrites), Promise.all(decoyWrites)]);
      const exceeded = counted.find(({ count, most }) => count > most);
      if (exceeded === undefined) return undefined;
      await Promise.all(counted.slice(counted.indexOf(exceeded) + 1).map(takeBack));
      return attemptsOf(exceeded);
    },
    remove: async (keys) => {
      // Sorted, since some compatible servers lock what a call changes: in one order, calls do not wait in a circle.
      if (keys.length > 0) await call(() => attempts.deleteMany({ _id: among(keys.toSorted()) }));
    },
    most: async (prefix, now) => {
      const stages = [
        { $match: { _id: withPrefix(prefix), ...inWindow(now) } },
        { $group: { _id: null, most: { $max: '$count' } } },
      ];
      const [group] = await call(() => attempts.aggregate<{ most: number }>(stages).toArray());
      return group?.most ?? 0;
    },
    removeUnder: async (prefix) => {
      await call(() => attempts.deleteMany({ _id: withPrefix(prefix) }));
    },
    sweep: async (now, most) =>
      deleteFirst(database, attempts, { endsAt: { $lte: integer(now) } }, 'endsAt', most),
  };
};

/** Keys that begin with the prefix: no key has a character beyond the last one of Unicode. */
const withPrefix = (prefix: string) => ({ $gte: text(prefix), $lt: `${prefix}\u{10ffff}` });

/** Matches a current window. A window with a start far ahead was begun before the clock was set back, and counts as ended. */
const inWindow = (now: number) => ({
  endsAt: { $gt: integer(now) },
  firstAt: { $lte: latestStart(integer(now)) },
});

const notInWindow = (now: number): Filter<AttemptsDocument> => ({
  $or: [{ endsAt: { $lte: now } }, { firstAt: { $gt: latestStart(now) } }],
});

const attemptsOf = ({ count, firstAt }: Attempts): Attempts => ({ count, firstAt });
