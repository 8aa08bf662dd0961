import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Filter, GridFSBucket, MongoRuntimeError, ObjectId } from 'mongodb';
import type { ObjectStore } from '../../core/accounts/ports.ts';
import { objectFolder, objectPath } from '../../core/accounts/safe-object-path.ts';
import { pagesOf } from '../../core/pagination.ts';
import type { Clock } from '../../core/ports.ts';
import type { MongoDatabase } from './engine/client.ts';
import { isDuplicate, Unsettled } from './engine/failures.ts';
import { changeOnce, type IdempotentDocument, insertOnce } from './engine/idempotent-writes.ts';
import { is } from './engine/scalars.ts';

/** Objects that one command lists. */
const PAGE = 500;
/** Up to this size an object is one chunk, which a single write stores, completely or not at all. */
const MOST_CHUNK_BYTES = 8_388_608;

/**
 * Objects in GridFS. A pointer names the file of a path. The pointer is written first, and becomes ready only when the file
 * is complete, so that the remains of a crash are listed, and nobody reads a partial file.
 */
export const makeMongoObjects = (database: MongoDatabase, clock: Clock): ObjectStore => {
  const { call, client, collection } = database;
  const pointers = collection<Pointer>('objects');
  // A bucket takes read and write concern from its database.
  const { dbName, readPreference, readConcern, writeConcern } = pointers;
  const bucket = new GridFSBucket(
    client.db(dbName, {
      ...(readPreference && { readPreference }),
      ...(readConcern && { readConcern }),
      ...(writeConcern && { writeConcern }),
    }),
    { bucketName: 'avatars' },
  );

  const upload = ({ _id, fileId }: Pick<Pointer, '_id' | 'fileId'>, bytes: Uint8Array) =>
    call(async (attempt) => {
      if (attempt > 0) await drop(fileId);
      // Never 0, which the driver takes for its default.
      const chunkSizeBytes = Math.min(bytes.length + 1, MOST_CHUNK_BYTES);
      const stream = bucket.openUploadStreamWithId(fileId, _id, { chunkSizeBytes });
      try {
        await pipeline(Readable.from([bytes]), stream);
      } catch (error) {
        // Chunks of a broken attempt may arrive after its file was deleted, and then collide with those of this attempt.
        // `Unsettled` leads to another attempt, which deletes them first.
        throw isDuplicate(error) ? new Unsettled() : error;
      }
    });

  /** Deletes a file, complete or partial, if there is one. */
  const drop = (fileId: ObjectId) =>
    bucket.delete(fileId).catch((error: unknown) => {
      if (!isNoFile(error)) throw error;
    });

  const read = async ({ fileId, size }: Pointer): Promise<Uint8Array | undefined> => {
    try {
      const bytes = Buffer.concat(await bucket.openDownloadStream(fileId).toArray());
      // A file that is deleted meanwhile ends early.
      return bytes.length === size ? bytes : undefined;
    } catch (error) {
      if (isNoFile(error)) return undefined;
      throw error;
    }
  };

  const removePointer = ({ _id, fileId }: Pick<Pointer, '_id' | 'fileId'>) =>
    call(async () => {
      await drop(fileId);
      await pointers.deleteOne({ _id: is(_id), fileId: { $eq: fileId } });
    });

  const readPage = (filter: Filter<Pointer>): Promise<readonly Pointer[]> =>
    call(() => pointers.find(filter, { sort: { _id: 1 }, limit: PAGE, batchSize: PAGE }).toArray());

  return {
    put: async (path, bytes) => {
      const pointer = pointerOf(path, bytes, clock.now());
      if (!(await insertOnce(database, pointers, pointer))) return false;
      await upload(pointer, bytes);
      const filter = { _id: is(pointer._id), fileId: { $eq: pointer.fileId } };
      const hasPointer = await changeOnce(database, pointers, filter, { $set: { isReady: true } });
      // If the pointer was removed during the upload, nothing else names the file.
      if (!hasPointer) await call(() => drop(pointer.fileId));
      return true;
    },
    find: (path) => {
      const filter = { _id: is(objectPath(path)), isReady: { $eq: true } };
      return call(async () => {
        const pointer = await pointers.findOne(filter);
        return pointer === null ? undefined : read(pointer);
      });
    },
    remove: async (path) => {
      const filter = { _id: is(objectPath(path)) };
      const pointer = await call(() => pointers.findOne(filter));
      if (pointer !== null) await removePointer(pointer);
    },
    removeAll: async (userId) => {
      const folder = pathsOfUser(userId);
      for (let batch = await readPage(folder); batch.length > 0; batch = await readPage(folder)) {
        for (const pointer of batch) await removePointer(pointer);
      }
    },
    async *list() {
      const pages = pagesOf<Pointer>(PAGE, (after) => readPage({ _id: { $gt: after?._id ?? '' } }));
      for await (const batch of pages) for (const { _id, storedAt } of batch) yield { path: _id, storedAt };
    },
  };
};

/** The pointer under a path. */
interface Pointer extends IdempotentDocument {
  readonly _id: string;
  readonly fileId: ObjectId;
  /** Bytes of the file. */
  readonly size: number;
  readonly isReady: boolean;
  /** Epoch milliseconds. */
  readonly storedAt: number;
}

/** Matches the paths in the user's folder: `0` is the character after `/`. */
const pathsOfUser = (userId: string) => {
  const folder = objectFolder(userId);
  return { _id: { $gt: `${folder}/`, $lt: `${folder}0` } };
};

const pointerOf = (path: string, bytes: Uint8Array, storedAt: number): Omit<Pointer, 'write'> => ({
  _id: objectPath(path),
  fileId: new ObjectId(),
  size: bytes.length,
  isReady: false,
  storedAt,
});

/** GridFS has no file with the id, or a part of it was just deleted. */
const isNoFile = (error: unknown): boolean => error instanceof MongoRuntimeError;
