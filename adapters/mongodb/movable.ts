import type { ObjectStore } from '../../core/accounts/ports.ts';
import { USE } from '../moving/hold.ts';
import { objectsSection } from '../moving/objects-section.ts';
import type { MovableStore } from '../moving/sections.ts';
import { makeMongoAuditStore } from './audit-store.ts';
import { makeMongoCacheEpoch } from './cache-epoch.ts';
import type { MongoDatabase } from './engine/client.ts';
import { is, whole } from './engine/scalars.ts';
import { mongoSections } from './sections.ts';

interface MarkDocument {
  readonly _id: 'import';
  readonly id: string;
  readonly lines: number;
}

const USED = ['accounts', 'files', 'domains', 'billing_events', 'billing_customers', 'outbox', 'webhooks'];
/** Collections that a first start may have filled. */
const LEFT = ['audit', 'audit_head', 'tries', 'rates', 'login_keys', 'flows', 'statistics', 'findings'];

const MARK = { _id: { $eq: 'import' } } as const;

/** Export from and import into the store on MongoDB. */
export const makeMongoMovable = (database: MongoDatabase, objects: ObjectStore): MovableStore => {
  const { call, collection } = database;
  const meta = collection<MarkDocument>('meta');
  const holds = async (name: string, filter: object = {}): Promise<boolean> =>
    (await call(() => collection(name).findOne(filter, { projection: { _id: 1 } }))) !== null;

  return {
    sections: { ...mongoSections(database), objects: objectsSection(objects) },
    // A first start leaves the first row of the audit log.
    isFresh: async () => {
      const used = await Promise.all([
        ...USED.map((name) => holds(name)),
        holds('audit', { _id: { $gt: 1 } }),
      ]);
      return !used.includes(true);
    },
    isAtWork: (now) =>
      holds('leases', { _id: { $ne: USE }, holder: { $ne: null }, endsAt: { $gt: whole(now) } }),
    // Every process that changes something takes a lease, and a new holder has a new fence.
    state: async () => {
      const leases = await call(() =>
        collection('leases')
          .find({ _id: { $ne: USE as never } }, { sort: { _id: 1 } })
          .toArray(),
      );
      const head = await makeMongoAuditStore(database).head();
      const epoch = await makeMongoCacheEpoch(database).read();
      const fences = leases.map(({ _id, fence }) => [String(_id), Number(fence)]);
      return JSON.stringify({ head: head?.value ?? null, epoch, fences });
    },
    mark: async () => {
      const found = await call(() => meta.findOne(MARK));
      return found === null ? undefined : { id: found.id, lines: found.lines };
    },
    // The mark comes first: it keeps servers away, which must not work on the store without its log.
    begin: async (mark) => {
      const change = { $set: { id: mark.id, lines: whole(mark.lines) } };
      await call(() => meta.updateOne(MARK, change, { upsert: true }));
      for (const name of LEFT) await call(() => collection(name).deleteMany({}));
    },
    // No upsert: an import that has ended has no mark.
    advance: async ({ id, lines }) => {
      await call(() => meta.updateOne({ ...MARK, id: is(id) }, { $set: { lines: whole(lines) } }));
    },
    finish: async () => {
      await makeMongoCacheEpoch(database).raise();
      await call(() => meta.deleteOne(MARK));
    },
  };
};
