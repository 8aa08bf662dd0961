import { isId } from '../ids.ts';
import { object, type TypeOf } from '../schema.ts';
import type { Deps } from './deps.ts';
import { fileNotFound } from './errors.ts';
import { FILE_ID } from './file-record.ts';

export const deletedFile = object({ deleted: FILE_ID });

export const makeDeleteFile =
  ({ entries, files }: Pick<Deps, 'entries' | 'files'>) =>
  async (id: string): Promise<TypeOf<typeof deletedFile>> => {
    if (!isId(id)) throw fileNotFound();
    const removed = await files.remove(id);
    // A concurrent deletion may not have reached the cache yet; a file reported as missing must not be read any more.
    await entries.remove([id]);
    if (!removed) throw fileNotFound();
    return { deleted: id };
  };

/** Deletes in pages. Idempotent, so it may be repeated after a crash. */
export const makeDeleteFilesOf =
  ({ entries, files, policy }: Pick<Deps, 'entries' | 'files' | 'policy'>) =>
  async (user: string): Promise<number> => {
    let count = 0;
    /** The deleted records that may still be cached, since the cache was down. */
    let maybeCached = 0;
    let isOutdated = false;
    for (;;) {
      // The entries are also removed before the records, so that whoever finds no records knows that there are no entries.
      const ids = (await files.listSizes(user, null, policy.page)).map(({ id }) => id);
      const isUncached = ids.length === 0 || (await entries.tryRemove(ids));
      if (!isUncached && !isOutdated) {
        await entries.outdateInstead(ids.length);
        // For all pages: nothing is cached while the cache is down.
        isOutdated = true;
      }
      const removed = await files.removeSome(user, policy.page);
      if (removed.length === 0) break;
      count += removed.length;
      if (!(await entries.tryRemove(removed))) maybeCached += removed.length;
    }
    // Once for all records: it empties the cache for everybody.
    if (maybeCached > 0) await entries.outdateInstead(maybeCached);
    return count;
  };

/** Purges removed records, after their entries in the cache. While the cache is down, they stay. */
export const makeSweepRemoved =
  ({ entries, files, policy }: Pick<Deps, 'entries' | 'files' | 'policy'>) =>
  async (): Promise<number> => {
    const ids = await files.listRemoved(policy.page);
    if (ids.length === 0 || !(await entries.tryRemove(ids))) return 0;
    await files.purge(ids);
    return ids.length;
  };
