import type { Collection } from 'mongodb';
import type { AuditHead } from '../../core/accounts/ports.ts';
import type { AuditBlock } from './audit-blocks.ts';
import type { MongoDatabase } from './client.ts';
import { isDuplicate } from './failures.ts';

const ONLY = { _id: { $eq: 'head' } } as const;

export interface HeadDocument extends AuditHead {
  readonly _id: 'head';
}

/**
 * The head of the audit log, in a document of its own. It comes in with the block after which it stands, and is taken
 * out of that once it is in its document; where a process dies in between, the next append does it.
 */
export const makeAuditHeads = (
  { call, collection }: MongoDatabase,
  blocks: Pick<Collection<AuditBlock>, 'find' | 'updateMany'>,
) => {
  const heads = collection<HeadDocument>('audit_head');

  return {
    /** In this order: a head that has left its block by the first look is in its document by the second. */
    newest: async (): Promise<AuditHead | undefined> => {
      const options = { sort: { 'head.number': -1 }, limit: 1, projection: { head: 1 } } as const;
      const waiting = await call(() => blocks.find({ 'head.number': { $gt: 0 } }, options).toArray());
      const kept = await call(() => heads.findOne(ONLY));
      const [head] = waiting.flatMap(({ head }) => head ?? []);
      return headOf(head === undefined || (kept !== null && kept.number > head.number) ? kept : head);
    },

    /** Old heads do not stay: with one that is signed, whoever cuts off the log's end could make it look whole. */
    set: async (head: AuditHead): Promise<void> => {
      const older = { ...ONLY, number: { $lt: head.number } };
      await call(async () => {
        try {
          await heads.updateOne(older, { $set: head }, { upsert: true });
        } catch (error) {
          // It is not older, or another made it just now.
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
