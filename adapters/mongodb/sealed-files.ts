import type { Filter } from 'mongodb';
import type { SealedFiles, SealedPosition } from '../../core/files/ports.ts';
import { readRanges } from '../../core/pages.ts';
import { type FileDocument, filesIn, STANDING, standing } from './documents/file-document.ts';
import { makeFileSums } from './documents/file-sums.ts';
import { BULK, type MongoDatabase } from './engine/client.ts';
import { changeOnce } from './engine/idempotent-writes.ts';
import { is, limitOf, text, textOrNull, whole } from './engine/scalars.ts';

const BY_KEY = { keyId: 1, _id: 1 } as const;
const COLUMNS = { keyId: 1, entry: 1 } as const;

/** One range of keys after the other, so that no record under the left-out key is read. */
const keysBut = (left: string, after: SealedPosition | null): readonly Filter<FileDocument>[] => {
  const last = after === null ? '' : text(after.keyId);
  const before = { keyId: { $gt: last, $lt: text(left) } };
  const behind = { keyId: { $gt: left > last ? left : last } };
  if (after === null || last === left) return [before, behind];
  return [{ keyId: is(last), _id: { $gt: text(after.id) } }, before, behind];
};

/** File records by their master key in MongoDB. */
export const makeMongoSealedFiles = (database: MongoDatabase): SealedFiles => {
  const { call } = database;
  const files = filesIn(database);
  const sums = makeFileSums(database);

  return {
    countByKey: async () => new Map([...(await sums())].map(([keyId, { files }]) => [keyId, files])),
    listNotUnder: async (keyId, after, limit) => {
      const ranges = keysBut(keyId, after).map((range) => async (most: number) => {
        const page = { sort: BY_KEY, limit: limitOf(most), batchSize: most, projection: COLUMNS };
        const found = await call(() => files.find({ ...STANDING, ...range }, page).toArray(), BULK);
        return found.map(({ _id, entry, keyId }) => ({ id: _id, entry, keyId: String(keyId) }));
      });
      return readRanges(limitOf(limit), ranges);
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
