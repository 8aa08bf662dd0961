import type { Collection } from 'mongodb';
import type { AuditHead } from '../../../core/accounts/ports.ts';
import type { MongoDatabase } from '../engine/client.ts';
import { unlessDuplicate } from '../engine/failures.ts';
import type { AuditBlock } from './audit-blocks.ts';

const ONLY = { _id: { $eq: 'head' } } as const;

export interface HeadDocument extends AuditHead {
  readonly _id: 'head';
}

/** The head of the audit log: written with its block, then moved to a document of its own, at the latest by the next append. */
export const makeAuditHeads = (
  { call, collection }: MongoDatabase,
  blocks: Pick<Collection<AuditBlock>, 'find' | 'updateMany'>,
) => {
  const heads = collection<HeadDocument>('audit_head');

  return {
    /** Reads the blocks first: a head that has left its block by then is in the document, which is read second. */
    newest: async (): Promise<AuditHead | undefined> => {
      const options = { sort: { 'head.number': -1 }, limit: 1, projection: { head: 1 } } as const;
      const pending = await call(() => blocks.find({ 'head.number': { $gt: 0 } }, options).toArray());
      const stored = await call(() => heads.findOne(ONLY));
      const [inBlock] = pending.flatMap(({ head }) => head ?? []);
      if (inBlock === undefined) return stored === null ? undefined : headOf(stored);
      return headOf(stored !== null && stored.number > inBlock.number ? stored : inBlock);
    },

    /** Replaces only an older head: with an old signed head, a log whose end was cut off would look complete. */
    set: async (head: AuditHead): Promise<void> => {
      const older = { ...ONLY, number: { $lt: head.number } };
      await call(async () => {
        const isSet = await unlessDuplicate(heads.updateOne(older, { $set: head }, { upsert: true }));
        // A duplicate: the stored head is not older, or another process has just inserted the document.
        if (!isSet) await heads.updateOne(older, { $set: head });
      });
      const copied = { 'head.number': { $lte: head.number } };
      await call(() => blocks.updateMany(copied, { $unset: { head: '' } }));
    },
  };
};

/** The head without the id of its document. */
const headOf = ({ number, value, signature }: AuditHead): AuditHead => ({ number, value, signature });
