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

/**
 * Deletes a user's records in pages; returns the count. Idempotent, so it may be repeated after a crash. Removals that cannot
 * reach the cache raise its generation, which invalidates every entry.
 */
export const makeDeleteFilesOf =
  ({ entries, files, policy }: Pick<Deps, 'entries' | 'files' | 'policy'>) =>
  async (user: string): Promise<number> => {
    let count = 0;
    let missedRemovals = 0;
    let isOutdated = false;
    for (;;) {
      // The entries are also removed before the records, so that whoever finds no records knows that there are no entries.
      const ids = (await files.listSizes(user, null, policy.page)).map(({ id }) => id);
      const reachesCache = ids.length === 0 || (await entries.tryRemove(ids));
      if (!reachesCache && !isOutdated) {
        await entries.outdateForMissedRemovals(ids.length);
        // Once for all pages: nothing is cached while the cache is down.
        isOutdated = true;
      }
      const removed = await files.removeSome(user, policy.page);
      if (removed.length === 0) break;
      count += removed.length;
      if (!(await entries.tryRemove(removed))) missedRemovals += removed.length;
    }
    // Once for all records: each raise of the generation empties the cache for everybody.
    if (missedRemovals > 0) await entries.outdateForMissedRemovals(missedRemovals);
    return count;
  };

/** Purges removed records after the removal of their entries from the cache. While the cache is down, the records stay. */
export const makeSweepRemoved =
  ({ entries, files, policy }: Pick<Deps, 'entries' | 'files' | 'policy'>) =>
  async (): Promise<number> => {
    const ids = await files.listRemoved(policy.page);
    if (ids.length === 0 || !(await entries.tryRemove(ids))) return 0;
    await files.purge(ids);
    return ids.length;
  };
