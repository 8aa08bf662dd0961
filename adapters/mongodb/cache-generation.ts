import type { CacheGeneration } from '../../core/files/ports.ts';
import type { MongoDatabase } from './engine/client.ts';
import { unlessDuplicate } from './engine/failures.ts';

/** The generation before the first raise. */
const FIRST = 1;
const GENERATION = { _id: { $eq: 'cache-epoch' } } as const;

export const makeMongoCacheGeneration = ({ call, collection }: MongoDatabase): CacheGeneration => {
  const meta = collection<GenerationDocument>('meta');

  /** The number is at least the time, so that not even the store behind a backup has returned it before. */
  const catchUp = () => {
    const number = Math.floor(Date.now() / 1_000) * 1_000;
    // A duplicate: another process has just inserted it, by the same rule.
    return unlessDuplicate(meta.updateOne(GENERATION, { $max: { number } }, { upsert: true }));
  };

  return {
    read: async () => (await call(() => meta.findOne(GENERATION)))?.number ?? FIRST,
    raise: async () => {
      await call(catchUp);
      // A repetition after a lost answer skips a number. Every number is returned at most once.
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
