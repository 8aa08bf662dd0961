import type { Collection } from 'mongodb';
import type { AuditHead } from '../../../core/accounts/ports.ts';
import type { MongoDatabase } from '../engine/client.ts';
import { isDuplicate } from '../engine/failures.ts';
import type { AuditBlock } from './audit-blocks.ts';

const ONLY = { _id: { $eq: 'head' } } as const;

export interface HeadDocument extends AuditHead {
  readonly _id: 'head';
}

/**
 * The head of the audit log has a document of its own. A head is first written with its block. It is then copied to the
 * document and removed from the block; if the process dies in between, the next append does that.
 */
export const makeAuditHeads = (
  { call, collection }: MongoDatabase,
  blocks: Pick<Collection<AuditBlock>, 'find' | 'updateMany'>,
) => {
  const heads = collection<HeadDocument>('audit_head');

  return {
    /** Reads the block first: a head that has left its block by then is in the document at the second read. */
    newest: async (): Promise<AuditHead | undefined> => {
      const options = { sort: { 'head.number': -1 }, limit: 1, projection: { head: 1 } } as const;
      const waiting = await call(() => blocks.find({ 'head.number': { $gt: 0 } }, options).toArray());
      const kept = await call(() => heads.findOne(ONLY));
      const [head] = waiting.flatMap(({ head }) => head ?? []);
      return headOf(head === undefined || (kept !== null && kept.number > head.number) ? kept : head);
    },

    /** Deletes old heads: with an old signed head a log whose end was cut off would look complete. */
    set: async (head: AuditHead): Promise<void> => {
      const older = { ...ONLY, number: { $lt: head.number } };
      await call(async () => {
        try {
          await heads.updateOne(older, { $set: head }, { upsert: true });
        } catch (error) {
          // The stored head is not older, or another process has just inserted it.
          if (!isDuplicate(error)) throw error;
          await heads.updateOne(older, { $set: head });
        }
      });
      const done = { 'head.number': { $lte: head.number } };
      await call(() => blocks.updateMany(done, { $unset: { head: '' } }));
    },
  };
};

const headOf = (found: AuditHead | null): AuditHead | undefined =>
  found === null ? undefined : { number: found.number, value: found.value, signature: found.signature };
