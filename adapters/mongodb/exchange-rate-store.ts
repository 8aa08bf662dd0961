import type { RateStore, RatesRecord } from '../../core/billing/ports.ts';
import type { MongoDatabase } from './engine/client.ts';
import { unlessDuplicate } from './engine/failures.ts';

const ONLY = { _id: { $eq: 'rates' } } as const;

/** The last accepted exchange rates, in MongoDB. */
export const makeMongoRateStore = ({ call, collection }: MongoDatabase): RateStore => {
  const rates = collection<RatesDocument>('rates');

  return {
    read: async () => {
      const document = await call(() => rates.findOne(ONLY));
      return document === null ? undefined : ratesOf(document);
    },
    write: async ({ good, confirmedAt, doubted }) => {
      const change = { $set: { good, confirmedAt, doubted } };
      const put = () => rates.updateOne(ONLY, change, { upsert: true });
      // A duplicate: another process has just inserted the document, which the second update then finds.
      await call(async () => (await unlessDuplicate(put())) || put());
    },
  };
};

export interface RatesDocument extends RatesRecord {
  readonly _id: 'rates';
}

export const ratesOf = ({ good, confirmedAt, doubted }: RatesDocument): RatesRecord => ({
  good,
  confirmedAt,
  doubted,
});
