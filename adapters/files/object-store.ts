import { mkdir, opendir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ObjectStore } from '../../core/accounts/ports.ts';
import { isObjectPath, objectFolder, objectPath } from '../../core/accounts/safe-object-path.ts';
import { unavailable } from '../../core/errors.ts';
import type { Log } from '../../core/ports.ts';
import { linkIfFree, syncFolderOf, unlessAbsent, withDraft } from './atomic-write.ts';

/** The suffix of a draft. `list` also yields the drafts of processes that died during a write, so that a sweep removes them. */
const DRAFT = /\.[0-9a-f]{12}\.tmp$/;

const isDraft = (path: string): boolean => DRAFT.test(path) && isObjectPath(path.replace(DRAFT, ''));

/** Whether the system failed: a full or broken disk, or a folder without write access. Other errors are the caller's faults. */
const isOutage = (error: unknown): error is NodeJS.ErrnoException => 'syscall' in Object(error);

/** Objects as files, a folder for each user, readable by this system user alone. */
export const makeFileObjects = ({ folder, log }: { folder: string; log: Log }): ObjectStore => {
  const fileOf = (path: string): string => join(folder, objectPath(path));

  const failureOf = (error: unknown): unknown => {
    if (!isOutage(error)) return error;
    log.warn('objects.failed', { reason: error.code ?? error.name });
    return unavailable('store_unavailable', 'The store is temporarily unavailable; try again.');
  };
  const onDisk = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw failureOf(error);
    }
  };

  return {
    put: (path, bytes) =>
      onDisk(async () => {
        const file = fileOf(path);
        await mkdir(dirname(file), { recursive: true, mode: 0o700 });
        const isNew = await withDraft(file, bytes, (draft) => linkIfFree(draft, file));
        // Each of these names may be new in the folder that holds it.
        for (const name of [file, dirname(file), folder]) await syncFolderOf(name);
        return isNew;
      }),
    find: (path) => onDisk(() => unlessAbsent(readFile(fileOf(path)))),
    remove: (path) => onDisk(() => rm(isDraft(path) ? join(folder, path) : fileOf(path), { force: true })),
    removeAll: (userId) =>
      onDisk(() => rm(join(folder, objectFolder(userId)), { recursive: true, force: true })),
    async *list() {
      try {
        for await (const user of await openFolder(folder)) {
          if (!user.isDirectory()) continue;
          for await (const entry of await openFolder(join(folder, user.name))) {
            const path = `${user.name}/${entry.name}`;
            if (!isObjectPath(path) && !isDraft(path)) continue;
            const stats = await unlessAbsent(stat(join(folder, path)));
            if (stats !== undefined) yield { path, storedAt: stats.mtimeMs };
          }
        }
      } catch (error) {
        throw failureOf(error);
      }
    },
  };
};

/** The entries of a folder; none if the folder does not exist. */
const openFolder = async (folder: string) => (await unlessAbsent(opendir(folder))) ?? [];
