import { latestEnd, latestEndAt } from '../../core/lease-tolerance.ts';
import type { Clock, Leases } from '../../core/ports.ts';
import type { MongoDatabase } from './engine/client.ts';
import { unlessDuplicate } from './engine/failures.ts';
import { integer, is } from './engine/scalars.ts';

/** Leases between all processes that share the database. */
export const makeMongoLeases = ({ call, collection }: MongoDatabase, clock: Clock): Leases => {
  const leases = collection<LeaseDocument>('leases');
  const fenceAfter = { returnDocument: 'after', projection: { fence: 1 } } as const;

  return {
    take: async (name, holder, milliseconds) => {
      const now = clock.now();
      const endsAt = integer(now) + integer(milliseconds);
      const leaseName = is(name);
      const leaseHolder = is(holder);
      const whenFree = [
        { holder: { $eq: null } },
        { endsAt: { $lte: now } },
        // Taken before the clock was set back.
        { endsAt: { $gt: latestEnd(endsAt) } },
      ];
      // Idempotent: a repetition finds the holder's own lease, which has not expired, and renews it.
      const fence = await call(async () => {
        const renewed = await leases.findOneAndUpdate(
          { _id: leaseName, holder: leaseHolder, endsAt: { $gt: now } },
          { $set: { endsAt } },
          fenceAfter,
        );
        if (renewed !== null) return renewed.fence;
        const change = { $set: { holder, endsAt }, $inc: { fence: 1 } };
        const lease = await leases.findOneAndUpdate({ _id: leaseName, $or: whenFree }, change, fenceAfter);
        if (lease !== null) return lease.fence;
        const existing = await leases.findOne({ _id: leaseName }, { projection: { _id: 1 } });
        if (existing !== null) return undefined;
        const isFirst = await unlessDuplicate(leases.insertOne({ _id: name, holder, fence: 1, endsAt }));
        return isFirst ? 1 : undefined;
      });
      return fence === undefined ? undefined : { name, fence };
    },
    // The document stays, since the next holder's fence counts on from it.
    release: async (name, holder) => {
      const filter = { _id: is(name), holder: is(holder) };
      await call(() => leases.updateOne(filter, { $set: { holder: null } }));
    },
    noteSuccess: async (name) => {
      const lastSuccessAt = integer(clock.now());
      await call(() => leases.updateOne({ _id: is(name) }, { $set: { lastSuccessAt } }));
    },
    list: async () => {
      const now = clock.now();
      const documents = await call(() => leases.find({}, { sort: { _id: 1 } }).toArray());
      return documents.map(({ _id: name, holder, endsAt, lastSuccessAt = null }) => ({
        name,
        // A lease with a later end was taken before the clock was set back, and counts as free.
        heldBy: endsAt > now && endsAt <= latestEndAt(now) ? holder : null,
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
  /** Absent until a run under this lease has succeeded. */
  readonly lastSuccessAt?: number;
}
