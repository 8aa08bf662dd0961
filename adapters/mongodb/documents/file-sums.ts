import { BULK_MS } from '../../calls/store-calls.ts';
import type { MongoDatabase } from '../engine/client.ts';
import { filesIn, NOT_REMOVED } from './file-document.ts';

/** Records that one call adds up. */
const PAGE = 20_000;

interface Sums {
  readonly files: number;
  readonly bytes: number;
}

interface PageSums extends Sums {
  /** The greatest id on the page. */
  readonly last: string;
}

/**
 * Adds up the records by master key (null: this product did not wrap the data key), in pages that each fit the deadline of a
 * call. The empty string is less than every key and every id, so it stands where a walk begins.
 */
export const makeFileSums = (database: MongoDatabase) => {
  const { call } = database;
  const files = filesIn(database);

  const sumPage = async (keyId: string | null, after: string): Promise<PageSums | undefined> => {
    const stages = [
      { $match: { ...NOT_REMOVED, keyId: { $eq: keyId }, _id: { $gt: after } } },
      { $sort: { _id: 1 } },
      { $limit: PAGE },
      { $group: { _id: null, files: { $sum: 1 }, bytes: { $sum: '$size' }, last: { $max: '$_id' } } },
    ];
    return (await call(() => files.aggregate<PageSums>(stages).toArray(), BULK_MS))[0];
  };

  const sumsOf = async (keyId: string | null): Promise<Sums> => {
    let sums: Sums = { files: 0, bytes: 0 };
    let after = '';
    for (;;) {
      const pageSums = await sumPage(keyId, after);
      if (pageSums === undefined) return sums;
      sums = { files: sums.files + pageSums.files, bytes: sums.bytes + pageSums.bytes };
      if (pageSums.files < PAGE) return sums;
      after = pageSums.last;
    }
  };

  const nextKey = async (keyId: string): Promise<string | undefined> => {
    const filter = { ...NOT_REMOVED, keyId: { $gt: keyId } };
    const options = { sort: { keyId: 1 }, limit: 1, projection: { keyId: 1 } } as const;
    return (await call(() => files.find(filter, options).toArray(), BULK_MS))[0]?.keyId ?? undefined;
  };

  return async (): Promise<ReadonlyMap<string | null, Sums>> => {
    const sums = new Map<string | null, Sums>();
    let keyId: string | null | undefined = null;
    while (keyId !== undefined) {
      const ofKey = await sumsOf(keyId);
      if (ofKey.files > 0) sums.set(keyId, ofKey);
      keyId = await nextKey(keyId ?? '');
    }
    return sums;
  };
};
