import { mkdir, opendir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ObjectStore } from '../../core/accounts/ports.ts';
import { unavailable } from '../../core/errors.ts';
import { hasCode, linkOnce, syncFolder, withDraft } from '../files/draft.ts';

/** Names of ours, one level deep: nothing that could lead out of the folder. */
const PATH = /^[A-Za-z0-9_-]{1,64}\/[A-Za-z0-9_-]{1,64}\.[a-z]{1,8}$/;
const FOLDER = /^[A-Za-z0-9_-]{1,64}$/;

const isAbsent = (error: unknown) => hasCode(error, 'ENOENT');

const onDisk = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (hasCode(error, 'ENOSPC') || hasCode(error, 'EDQUOT') || hasCode(error, 'EIO')) {
      throw unavailable('store_unavailable', 'The file cannot be stored just now; try again.');
    }
    throw error;
  }
};

/** Objects as files, a folder for each user, readable by this system user alone. */
export const makeFileObjects = ({ folder }: { readonly folder: string }): ObjectStore => {
  const fileOf = (path: string): string => {
    if (!PATH.test(path)) throw new TypeError('Not a path of an object.');
    return join(folder, path);
  };
  const folderOf = (userId: string): string => {
    if (!FOLDER.test(userId)) throw new TypeError('Not a user id.');
    return join(folder, userId);
  };

  return {
    put: (path, bytes) =>
      onDisk(async () => {
        const file = fileOf(path);
        await mkdir(dirname(file), { recursive: true, mode: 0o700 });
        await withDraft(file, bytes, (draft) => linkOnce(draft, file));
        await syncFolder(file);
      }),
    find: async (path) => {
      try {
        return await readFile(fileOf(path));
      } catch (error) {
        if (isAbsent(error)) return undefined;
        throw error;
      }
    },
    remove: (path) => rm(fileOf(path), { force: true }),
    removeAll: (userId) => rm(folderOf(userId), { recursive: true, force: true }),
    async *list() {
      for await (const user of await openFolder(folder)) {
        if (!user.isDirectory()) continue;
        for await (const entry of await openFolder(join(folder, user.name))) {
          const path = `${user.name}/${entry.name}`;
          const stored = PATH.test(path) ? await statOf(join(folder, path)) : undefined;
          if (stored !== undefined) yield { path, storedAt: stored };
        }
      }
    },
  };
};

/** What is in a folder; one that went meanwhile is empty. */
const openFolder = async (folder: string) => {
  try {
    return await opendir(folder);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
};

const statOf = async (file: string): Promise<number | undefined> => {
  try {
    return (await stat(file)).mtimeMs;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
};
