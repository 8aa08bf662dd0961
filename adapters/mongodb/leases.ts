import type { Clock, Leases } from '../../core/ports.ts';
import type { MongoDatabase } from './client.ts';
import { isDuplicate } from './failures.ts';
import { is, whole } from './scalars.ts';
import type { Indexes } from './schema.ts';

/**
 * A lease that ends more than this many milliseconds after one taken now was taken before the clock was set back, so
 * it is free. More than the readings of two processes, and the lengths they ask for, differ by.
 */
const CLOCK_SET_BACK = 15_000;

export const leasesIndexes = { leases: [] } satisfies Indexes;

/** Leases between all processes that share the database. */
export const makeMongoLeases = ({ call, collection }: MongoDatabase, clock: Clock): Leases => {
  const leases = collection<LeaseDocument>('leases');
  const returned = { returnDocument: 'after', projection: { fence: 1 } } as const;

  return {
    take: async (name, holder, milliseconds) => {
      const now = clock.now();
      const endsAt = whole(now) + whole(milliseconds);
      const [named, held] = [is(name), is(holder)];
      const isFree = [
        { holder: { $eq: null } },
        { endsAt: { $lte: now } },
        { endsAt: { $gt: endsAt + CLOCK_SET_BACK } },
      ];
      // A repetition finds what it took before as its own.
      const fence = await call(async () => {
        const renewed = await leases.findOneAndUpdate(
          { _id: named, holder: held },
          { $set: { endsAt } },
          returned,
        );
        if (renewed !== null) return renewed.fence;
        const change = { $set: { holder, endsAt }, $inc: { fence: 1 } };
        const taken = await leases.findOneAndUpdate({ _id: named, $or: isFree }, change, returned);
        if (taken !== null) return taken.fence;
        if ((await leases.findOne({ _id: named }, { projection: { _id: 1 } })) !== null) return undefined;
        try {
          await leases.insertOne({ _id: name, holder, fence: 1, endsAt });
          return 1;
        } catch (error) {
          if (!isDuplicate(error)) throw error;
          return undefined;
        }
      });
      return fence === undefined ? undefined : { name, fence };
    },
    // The document stays for the sake of its fence.
    release: async (name, holder) => {
      const filter = { _id: is(name), holder: is(holder) };
      await call(() => leases.updateOne(filter, { $set: { holder: null } }));
    },
  };
};

interface LeaseDocument {
  readonly _id: string;
  readonly holder: string | null;
  readonly fence: number;
  readonly endsAt: number;
}
