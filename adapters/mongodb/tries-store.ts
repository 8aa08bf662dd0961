import { type Filter, ObjectId } from 'mongodb';
import type { Tries } from '../../core/accounts/account.ts';
import { CLOCK_SET_BACK } from '../../core/accounts/policy.ts';
import type { Bounded, TriesStore } from '../../core/accounts/ports.ts';
import type { MongoDatabase } from './engine/client.ts';
import { isDuplicate, storeUnavailable } from './engine/failures.ts';
import { changeOnce, type Written } from './engine/idempotent-writes.ts';
import { among, equals, is, limitOf, text, whole } from './engine/scalars.ts';
import type { Indexes } from './engine/schema.ts';

export interface TriesDocument extends Written, Tries {
  /** The key of the tries: a digest of what somebody tries to guess. */
  readonly _id: string;
  readonly endsAt: number;
}

const TRIES = 'tries';

export const triesStoreIndexes: Indexes = { [TRIES]: [{ name: 'ending', keys: { endsAt: 1 } }] };

/** Attempts. One fails only if another process has begun or removed a window meanwhile. */
const MOST_TURNS = 100;

/** Counts of wrong tries in MongoDB. */
export const makeMongoTriesStore = (database: MongoDatabase): TriesStore => {
  const { call } = database;
  const tries = database.collection<TriesDocument>(TRIES);

  /** Adds one to the current window; undefined if there is none. */
  const countOn = async (key: string, now: number, write: ObjectId): Promise<Tries | undefined> => {
    const change = { $inc: { count: 1 }, $set: { write } };
    const counted = await tries.findOneAndUpdate({ _id: is(key), ...inWindow(now) }, change, {
      returnDocument: 'after',
    });
    return counted === null ? undefined : triesOf(counted);
  };

  /** Begins a window if there is none or the last one is over; undefined if another call has begun one. */
  const begin = async (key: string, firstAt: number, endsAt: number, write: ObjectId) => {
    const begun = { count: 1, firstAt, endsAt, write };
    try {
      await tries.updateOne({ _id: is(key), ...over(firstAt) }, { $set: begun }, { upsert: true });
      return triesOf(begun);
    } catch (error) {
      if (isDuplicate(error)) return undefined;
      throw error;
    }
  };

  const add = async (key: string, milliseconds: number, now: number): Promise<Tries> => {
    const endsAt = whole(now) + whole(milliseconds);
    const write = new ObjectId();
    return call(async (attempt) => {
      // An earlier attempt is not counted twice, unless another call has counted since: then one too many is counted.
      const own = attempt > 0 ? await tries.findOne({ _id: is(key), write: { $eq: write } }) : null;
      if (own !== null) return triesOf(own);
      for (let turn = 0; turn < MOST_TURNS; turn += 1) {
        const counted = (await countOn(key, now, write)) ?? (await begin(key, now, endsAt, write));
        if (counted !== undefined) return counted;
      }
      throw storeUnavailable();
    });
  };

  /** The place of the first key that holds as much as it may; of the last one when none does. */
  const firstFull = async (counts: readonly Bounded[], now: number): Promise<number> => {
    const keys = { _id: among(counts.map(({ key }) => key)), ...inWindow(now) };
    const found = await call(() => tries.find(keys).toArray());
    const held = new Map(found.map(({ _id, count }) => [_id, count]));
    const place = counts.findIndex(({ key, most }) => (held.get(key) ?? 0) >= whole(most));
    return place === -1 ? counts.length - 1 : place;
  };

  /** Takes one off a window that goes on. */
  const takeBack = ({ key, firstAt }: { readonly key: string; readonly firstAt: number }) => {
    const window = { _id: is(key), firstAt: equals(firstAt), count: { $gt: 0 } };
    return changeOnce(database, tries, window, { $inc: { count: -1 } });
  };

  return {
    find: async (key, now) => {
      const found = await call(() => tries.findOne({ _id: is(key), ...inWindow(now) }));
      return found === null ? undefined : triesOf(found);
    },
    add,
    // All keys at once, since each write waits for the journal. What is full is read first: a call that is refused leaves
    // the keys behind it alone. Only calls that fill a key together have something to take back.
    addInTurn: async (counts, milliseconds, now) => {
      const full = await firstFull(counts, now);
      const [counted] = await Promise.all([
        Promise.all(
          counts
            .slice(0, full + 1)
            .map(async ({ key, most }) => ({ key, most, ...(await add(key, milliseconds, now)) })),
        ),
        ...counts.slice(full + 1).map(({ key }) => add(`nobody:${key}`, milliseconds, now)),
      ]);
      const over = counted.findIndex(({ count, most }) => count > most);
      const first = counted[over];
      if (first === undefined) return undefined;
      await Promise.all(counted.slice(over + 1).map(takeBack));
      return triesOf(first);
    },
    remove: async (keys) => {
      if (keys.length > 0) await call(() => tries.deleteMany({ _id: among(keys.toSorted()) }));
    },
    most: async (prefix, now) => {
      const stages = [
        { $match: { _id: under(prefix), ...inWindow(now) } },
        { $group: { _id: null, most: { $max: '$count' } } },
      ];
      const [found] = await call(() => tries.aggregate<{ most: number }>(stages).toArray());
      return found?.most ?? 0;
    },
    removeUnder: async (prefix) => {
      await call(() => tries.deleteMany({ _id: under(prefix) }));
    },
    sweep: async (now, most) => {
      const ended = { endsAt: { $lte: whole(now) } };
      const options = { sort: { endsAt: 1 }, limit: limitOf(most), projection: { _id: 1 } } as const;
      const found = await call(() => tries.find(ended, options).toArray());
      if (found.length === 0) return 0;
      const ids = found.map(({ _id }) => _id).sort();
      const { deletedCount } = await call(() => tries.deleteMany({ _id: among(ids), ...ended }));
      return deletedCount;
    },
  };
};

/** Keys that begin with the prefix: no key has a character beyond the last one of Unicode. */
const under = (prefix: string) => ({ $gte: text(prefix), $lt: `${prefix}\u{10ffff}` });

/** A window that begins later was counted before the clock was set back; it would hold an account for that long. */
const inWindow = (now: number) => ({
  endsAt: { $gt: whole(now) },
  firstAt: { $lte: whole(now) + CLOCK_SET_BACK },
});

const over = (now: number): Filter<TriesDocument> => ({
  $or: [{ endsAt: { $lte: now } }, { firstAt: { $gt: now + CLOCK_SET_BACK } }],
});

const triesOf = ({ count, firstAt }: Tries): Tries => ({ count, firstAt });
