import type { ObjectStore } from '../../core/accounts/ports.ts';
import { EMPTY_AT_FIRST, FILLED_AT_FIRST } from '../transfer/first-start.ts';
import { objectsSection } from '../transfer/objects-section.ts';
import type { TransferableStore } from '../transfer/sections.ts';
import { STORE_LEASE } from '../transfer/store-lease.ts';
import { hasDocument, makeMongoAuditStore } from './audit-store.ts';
import { makeMongoCacheGeneration } from './cache-generation.ts';
import type { MongoDatabase } from './engine/client.ts';
import { integer, is } from './engine/scalars.ts';
import { mongoSections } from './transfer-sections.ts';

interface ImportDocument {
  readonly _id: 'import';
  readonly id: string;
  readonly lines: number;
}

const IMPORT = { _id: { $eq: 'import' } } as const;

/** Export from and import into the store on MongoDB. */
export const makeMongoTransfer = (database: MongoDatabase, objects: ObjectStore): TransferableStore => {
  const { call, collection } = database;
  const meta = collection<ImportDocument>('meta');

  return {
    sections: { ...mongoSections(database), objects: objectsSection(objects) },
    // A first start leaves the first row of the audit log.
    isFresh: async () => {
      const used = await Promise.all([
        ...EMPTY_AT_FIRST.map((name) => hasDocument(database, name)),
        hasDocument(database, 'audit', { _id: { $gt: 1 } }),
      ]);
      return !used.includes(true);
    },
    isAtWork: (now) =>
      hasDocument(database, 'leases', {
        _id: { $ne: STORE_LEASE },
        holder: { $ne: null },
        endsAt: { $gt: integer(now) },
      }),
    // Every process that changes something takes a lease, and a new holder has a new fence.
    state: async () => {
      const leases = await call(() =>
        collection('leases')
          .find({ _id: { $ne: STORE_LEASE as never } }, { sort: { _id: 1 } })
          .toArray(),
      );
      const head = await makeMongoAuditStore(database).head();
      const generation = await makeMongoCacheGeneration(database).read();
      const fences = leases.map(({ _id, fence }) => [String(_id), Number(fence)]);
      return JSON.stringify({ head: head?.value ?? null, epoch: generation, fences });
    },
    unfinishedImport: async () => {
      const document = await call(() => meta.findOne(IMPORT));
      return document === null ? undefined : { id: document.id, lines: document.lines };
    },
    // The document of the import comes first: it keeps servers from working on the store without its log.
    startImport: async (progress) => {
      const change = { $set: { id: progress.id, lines: integer(progress.lines) } };
      await call(() => meta.updateOne(IMPORT, change, { upsert: true }));
      for (const name of FILLED_AT_FIRST) await call(() => collection(name).deleteMany({}));
    },
    // No upsert: a finished import has no document.
    saveProgress: async ({ id, lines }) => {
      await call(() => meta.updateOne({ ...IMPORT, id: is(id) }, { $set: { lines: integer(lines) } }));
    },
    endImport: async () => {
      await makeMongoCacheGeneration(database).raise();
      await call(() => meta.deleteOne(IMPORT));
    },
  };
};
