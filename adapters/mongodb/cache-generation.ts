import type { CacheGeneration } from '../../core/files/ports.ts';
import type { MongoDatabase } from './engine/client.ts';
import { unlessDuplicate } from './engine/failures.ts';

/** The generation before the first raise. */
const FIRST_GENERATION = 1;
/** The document with the number. Its stored id says `epoch` for the generation. */
const GENERATION = { _id: { $eq: 'cache-epoch' } } as const;

export const makeMongoCacheGeneration = ({ call, collection }: MongoDatabase): CacheGeneration => {
  const meta = collection<GenerationDocument>('meta');

  /** Makes the number at least the time: a store restored from a backup must not return a number for a second time. */
  const catchUpWithTime = () => {
    // Epoch milliseconds, in whole seconds as in SQL stores.
    const number = Math.floor(Date.now() / 1_000) * 1_000;
    // A duplicate: another process has just inserted the document, with the time as its number.
    return unlessDuplicate(meta.updateOne(GENERATION, { $max: { number } }, { upsert: true }));
  };

  return {
    read: async () => (await call(() => meta.findOne(GENERATION)))?.number ?? FIRST_GENERATION,
    raise: async () => {
      await call(catchUpWithTime);
      // A repetition after a lost answer raises twice and skips a number, but returns no number for a second time.
      const raised = await call(() =>
        meta.findOneAndUpdate(GENERATION, { $inc: { number: 1 } }, { returnDocument: 'after' }),
      );
      if (raised === null) throw new Error('The store has no cache generation.');
      return raised.number;
    },
  };
};

interface GenerationDocument {
  readonly _id: string;
  readonly number: number;
}
