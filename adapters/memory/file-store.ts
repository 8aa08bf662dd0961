import type { FilePosition, FileStore, StoredFile } from '../../core/files/ports.ts';
import { backwards, by, first, kept, page } from './records.ts';
import { text, whole } from './scalars.ts';

/** A record with its reads. A removed one stays until it is purged. */
export interface HeldFile extends StoredFile {
  readonly removed: boolean;
  readonly accesses: number;
  readonly accessedAt: number;
}

/** All file records, by id. */
export type HeldFiles = Map<string, HeldFile>;

/** A record; undefined for a removed one. */
export const liveFile = (files: HeldFiles, id: string): HeldFile | undefined => {
  const file = files.get(text(id));
  return file?.removed === false ? file : undefined;
};

/** A user's records, without the removed ones. */
export const liveFilesOf = (files: HeldFiles, user: string): readonly HeldFile[] => {
  const owner = text(user);
  return [...files.values()].filter((file) => file.user === owner && !file.removed);
};

const newestFirst = backwards(
  by<FilePosition>(
    ({ uploadedAt }) => uploadedAt,
    ({ id }) => id,
  ),
);
const byId = by<HeldFile>(({ id }) => id);

/** File records in memory. Each write is synchronous, so nothing comes between its condition and its effect. */
export const makeMemoryFileStore = (files: HeldFiles): FileStore => {
  const put = (file: HeldFile) => files.set(file.id, kept(file));
  const pageOf = (user: string, after: FilePosition | null, limit: number) => {
    const behind = after && { uploadedAt: whole(after.uploadedAt), id: text(after.id) };
    return page(liveFilesOf(files, user), newestFirst, behind, limit);
  };

  return {
    add: async (file) => {
      for (const name of ['id', 'user', 'entry', 'item'] as const) text(file[name]);
      for (const name of ['uploadedAt', 'size', 'bytes'] as const) whole(file[name]);
      if (files.has(file.id)) return false;
      put({ ...file, removed: false, accesses: 0, accessedAt: 0 });
      return true;
    },
    find: async (id) => liveFile(files, id)?.entry,
    findAll: async (ids) =>
      ids.flatMap((id) => {
        const file = liveFile(files, id);
        return file === undefined ? [] : [{ id, entry: file.entry }];
      }),
    list: async (user, after, limit) =>
      pageOf(user, after, limit).map(({ id, uploadedAt, item }) => ({ id, uploadedAt, item })),
    listSizes: async (user, after, limit) =>
      pageOf(user, after, limit).map(({ id, uploadedAt, bytes }) => ({ id, uploadedAt, bytes })),
    has: async (user) => liveFilesOf(files, user).length > 0,
    totals: async () => {
      const live = [...files.values()].filter(({ removed }) => !removed);
      return { files: live.length, bytes: live.reduce((sum, { size }) => sum + size, 0) };
    },
    remove: async (id) => {
      const file = liveFile(files, id);
      if (file !== undefined) put({ ...file, removed: true });
      return file !== undefined;
    },
    removeSome: async (user, limit) => {
      const some = liveFilesOf(files, user).slice(0, whole(limit));
      for (const file of some) put({ ...file, removed: true });
      return some.map(({ id }) => id);
    },
    listRemoved: async (limit) =>
      first(
        [...files.values()].filter(({ removed }) => removed),
        byId,
        limit,
      ).map(({ id }) => id),
    purge: async (ids) => {
      for (const id of ids.map(text)) if (files.get(id)?.removed) files.delete(id);
    },
  };
};
