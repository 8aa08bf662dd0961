import type { Filter } from 'mongodb';
import { makeListWithItems } from '../../core/files/missing-items.ts';
import type {
  FileOwners,
  FilePosition,
  FileStore,
  ListedRecord,
  StoredFile,
} from '../../core/files/ports.ts';
import { readRanges } from '../../core/pagination.ts';
import { ACCOUNTS, type AccountDocument } from './documents/account-document.ts';
import { byId, existingFile, type FileDocument, filesIn, NOT_REMOVED } from './documents/file-document.ts';
import { makeFileRemovals } from './documents/file-removals.ts';
import { makeFileSums } from './documents/file-sums.ts';
import type { MongoDatabase } from './engine/client.ts';
import { insertOnce } from './engine/idempotent-writes.ts';
import { among, equals, integer, is, limitOf, text, textOrNull } from './engine/scalars.ts';

const NEWEST_FIRST = { uploadedAt: -1, _id: -1 } as const;

export const makeMongoFileStore = (database: MongoDatabase, keyLife?: number): FileStore => {
  const { call } = database;
  const files = filesIn(database);
  const sums = makeFileSums(database);

  const listPage = async <T>(
    user: string,
    after: FilePosition | null,
    limit: number,
    column: 'item' | 'bytes',
    itemOf: (document: FileDocument) => T,
  ): Promise<readonly T[]> => {
    const projection = { uploadedAt: 1, [column]: 1 };
    const ranges = behind(after).map((range) => async (most: number) => {
      const filter = { user: is(user), ...NOT_REMOVED, ...range };
      const page = { sort: NEWEST_FIRST, limit: limitOf(most), batchSize: most, projection };
      return (await call(() => files.find(filter, page).toArray())).map(itemOf);
    });
    return readRanges(limitOf(limit), ranges);
  };

  const findAll: FileStore['findAll'] = async (ids) => {
    if (ids.length === 0) return [];
    const filter = { _id: among(ids), ...NOT_REMOVED };
    const page = { batchSize: ids.length, projection: { entry: 1 } } as const;
    const documents = await call(() => files.find(filter, page).toArray());
    const entries = new Map(documents.map(({ _id, entry }) => [_id, { id: _id, entry }]));
    return ids.flatMap((id) => entries.get(id) ?? []);
  };

  // Records of an earlier version have no `item`: it is made from their entry when they are first listed, and stored here. Written
  // in the order `byId`, as by every call, so that no two calls wait for each other.
  const keepItems = (items: readonly Pick<ListedRecord, 'id' | 'item'>[]) => {
    const additions = items.toSorted(byId).map(({ id, item }) => ({
      updateOne: { filter: { _id: is(id), item: { $exists: false } }, update: { $set: { item } } },
    }));
    return call(() => files.bulkWrite(additions, { ordered: false }));
  };

  return {
    add: (file) => insertOnce(database, files, documentOf(file)),
    find: async (id) => {
      const filter = existingFile(id);
      return (await call(() => files.findOne(filter, { projection: { entry: 1 } })))?.entry;
    },
    findAll,
    list: makeListWithItems(
      (user, after, limit) => listPage(user, after, limit, 'item', listedOf),
      findAll,
      keepItems,
    ),
    listSizes: (user, after, limit) => listPage(user, after, limit, 'bytes', sizeOf),
    has: async (user) => {
      const filter = { user: is(user), ...NOT_REMOVED };
      return (await call(() => files.findOne(filter, { projection: { _id: 1 } }))) !== null;
    },
    totals: async () => {
      const all = [...(await sums()).values()];
      return {
        files: all.reduce((total, { files }) => total + files, 0),
        bytes: all.reduce((total, { bytes }) => total + bytes, 0),
      };
    },
    ...makeFileRemovals(database, keyLife),
  };
};

/** Records after a position: uploaded at the same moment, then before. */
const behind = (after: FilePosition | null): readonly Filter<FileDocument>[] => {
  if (after === null) return [{}];
  const { uploadedAt, id } = after;
  return [
    { uploadedAt: equals(uploadedAt), _id: { $lt: text(id) } },
    { uploadedAt: { $lt: integer(uploadedAt) } },
  ];
};

const documentOf = (file: StoredFile): Omit<FileDocument, 'write'> => ({
  _id: text(file.id),
  user: text(file.user),
  uploadedAt: integer(file.uploadedAt),
  size: integer(file.size),
  bytes: integer(file.bytes),
  keyId: textOrNull(file.keyId),
  entry: text(file.entry),
  item: text(file.item),
  removed: false,
  accesses: 0,
  accessedAt: 0,
});

const listedOf = ({ _id, uploadedAt, item }: FileDocument) => ({ id: _id, uploadedAt, item });

const sizeOf = ({ _id, uploadedAt, bytes }: FileDocument) => ({ id: _id, uploadedAt, bytes });

/** Possible owners of files: the accounts in MongoDB. */
export const makeMongoFileOwners = ({ call, collection }: MongoDatabase): FileOwners => {
  const accounts = collection<AccountDocument>(ACCOUNTS);
  return {
    standing: async (userId) => {
      const projection = { listed: 1, barredAt: 1 };
      const document = await call(() => accounts.findOne({ _id: is(userId) }, { projection }));
      // A document with `barredAt` has no account: it only keeps its id from being inserted.
      if (document === null || document.barredAt !== undefined) return 'unknown';
      return document.listed === true ? 'account' : 'deleted';
    },
  };
};
