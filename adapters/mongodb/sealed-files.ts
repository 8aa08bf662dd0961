import type { SealedFiles } from '../../core/files/ports.ts';
import type { MongoDatabase } from './client.ts';
import { filesIn, STANDING, standing } from './file-document.ts';
import { changeOnce } from './once.ts';
import { is, limitOf, text, textOrNull, whole } from './scalars.ts';

interface KeyCount {
  readonly _id: string | null;
  readonly count: number;
}

const COUNT_BY_KEY = [{ $match: STANDING }, { $group: { _id: '$keyId', count: { $sum: 1 } } }];

/** File records by their master key in MongoDB. */
export const makeMongoSealedFiles = (database: MongoDatabase): SealedFiles => {
  const { call } = database;
  const files = filesIn(database);

  return {
    countByKey: async () => {
      const counts = await call(() => files.aggregate<KeyCount>(COUNT_BY_KEY).toArray());
      return new Map(counts.map(({ _id, count }) => [_id, count]));
    },
    listNotUnder: async (keyId, after, limit) => {
      const filter = {
        _id: { $gt: textOrNull(after) ?? '' },
        ...STANDING,
        keyId: { $nin: [text(keyId), null] },
      };
      const page = { limit: limitOf(limit), batchSize: limit, projection: { entry: 1 } } as const;
      const found = await call(() => files.find(filter, page).sort({ _id: 1 }).toArray());
      return found.map(({ _id, entry }) => ({ id: _id, entry }));
    },
    replace: ({ id, entry }, next) =>
      changeOnce(
        database,
        files,
        { ...standing(id), entry: is(entry) },
        { $set: { entry: text(next.entry), bytes: whole(next.bytes), keyId: textOrNull(next.keyId) } },
      ),
  };
};
