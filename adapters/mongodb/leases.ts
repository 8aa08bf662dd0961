import { latestEnd } from '../../core/lease-ends.ts';
import type { Clock, Leases } from '../../core/ports.ts';
import type { MongoDatabase } from './engine/client.ts';
import { isDuplicate } from './engine/failures.ts';
import { is, whole } from './engine/scalars.ts';
import type { Indexes } from './engine/schema.ts';

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
        { endsAt: { $gt: latestEnd(endsAt) } },
      ];
      // A repetition finds that the lease is its own already.
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
    // The document stays, since the next holder's fence counts on from it.
    release: async (name, holder) => {
      const filter = { _id: is(name), holder: is(holder) };
      await call(() => leases.updateOne(filter, { $set: { holder: null } }));
    },
    noteSuccess: async (name) => {
      const lastSuccessAt = whole(clock.now());
      await call(() => leases.updateOne({ _id: is(name) }, { $set: { lastSuccessAt } }));
    },
    list: async () => {
      const now = clock.now();
      const found = await call(() => leases.find({}, { sort: { _id: 1 } }).toArray());
      return found.map(({ _id: name, holder, endsAt, lastSuccessAt = null }) => ({
        name,
        heldBy: endsAt > now ? holder : null,
        lastSuccessAt,
      }));
    },
  };
};

interface LeaseDocument {
  readonly _id: string;
  readonly holder: string | null;
  readonly fence: number;
  readonly endsAt: number;
  /** Absent until a run under it went well. */
  readonly lastSuccessAt?: number;
}
