import type { Filter } from 'mongodb';
import type { SealedFiles, SealedPosition } from '../../core/files/ports.ts';
import { readRanges } from '../../core/pagination.ts';
import { BULK_MS } from '../calls/store-calls.ts';
import { existingFile, type FileDocument, filesIn, NOT_REMOVED } from './documents/file-document.ts';
import { makeFileSums } from './documents/file-sums.ts';
import type { MongoDatabase } from './engine/client.ts';
import { changeOnce } from './engine/idempotent-writes.ts';
import { integer, is, limitOf, text, textOrNull } from './engine/scalars.ts';

const BY_KEY = { keyId: 1, _id: 1 } as const;
const COLUMNS = { keyId: 1, entry: 1 } as const;

/**
 * Ranges of the records under other master keys than the skipped one: the rest of the key of the last position, then the keys
 * below and above the skipped one. No range has records with the key id null: this product did not wrap their data keys.
 */
const keysBut = (skippedKey: string, after: SealedPosition | null): readonly Filter<FileDocument>[] => {
  const last = after === null ? '' : text(after.keyId);
  // Matches nothing once the last key is not below the skipped one.
  const below = { keyId: { $gt: last, $lt: text(skippedKey) } };
  const above = { keyId: { $gt: skippedKey > last ? skippedKey : last } };
  if (after === null || last === skippedKey) return [below, above];
  return [{ keyId: is(last), _id: { $gt: text(after.id) } }, below, above];
};

/** File records by their master key in MongoDB. */
export const makeMongoSealedFiles = (database: MongoDatabase): SealedFiles => {
  const { call } = database;
  const files = filesIn(database);
  const sums = makeFileSums(database);

  return {
    countByKey: async () => new Map([...(await sums())].map(([keyId, sum]) => [keyId, sum.files])),
    listNotUnder: async (keyId, after, limit) => {
      const ranges = keysBut(keyId, after).map((range) => async (most: number) => {
        const page = { sort: BY_KEY, limit: limitOf(most), batchSize: most, projection: COLUMNS };
        const documents = await call(() => files.find({ ...NOT_REMOVED, ...range }, page).toArray(), BULK_MS);
        return documents.map(({ _id, entry, keyId }) => ({ id: _id, entry, keyId: String(keyId) }));
      });
      return readRanges(limitOf(limit), ranges);
    },
    replace: ({ id, entry }, next) =>
      changeOnce(
        database,
        files,
        { ...existingFile(id), entry: is(entry) },
        { $set: { entry: text(next.entry), bytes: integer(next.bytes), keyId: textOrNull(next.keyId) } },
      ),
  };
};
