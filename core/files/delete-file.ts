import { isId } from '../ids.ts';
import { fileNotFound } from './errors.ts';
import type { Kit } from './kit.ts';

export const makeDeleteFile =
  ({ entries, files }: Pick<Kit, 'entries' | 'files'>) =>
  async (id: string): Promise<{ readonly deleted: string }> => {
    if (!isId(id)) throw fileNotFound();
    const removed = await files.remove(id);
    // Whoever came first may not have told the cache yet, and what is not found must not be read any more.
    await entries.remove([id]);
    if (!removed) throw fileNotFound();
    return { deleted: id };
  };

/** In pages. May be repeated after a crash. */
export const makeDeleteFilesOf =
  ({ entries, files, policy }: Pick<Kit, 'entries' | 'files' | 'policy'>) =>
  async (user: string): Promise<number> => {
    let [count, owed] = [0, 0];
    for (;;) {
      // Before the records, too: whoever finds none left answers at once, and the cache must have lost them by then.
      const found = await files.listSizes(user, null, policy.page);
      if (found.length > 0 && !(await entries.sweep(found.map(({ id }) => id))) && owed === 0) {
        await entries.owe(found.length);
      }
      const removed = await files.removeSome(user, policy.page);
      if (removed.length === 0) break;
      count += removed.length;
      if (!(await entries.sweep(removed))) owed += removed.length;
    }
    // Once for all of them: each raise of the epoch empties the cache for everybody.
    if (owed > 0) await entries.owe(owed);
    return count;
  };

/** While the cache is down, records stay and nothing happens. */
export const makeSweepRemoved =
  ({ entries, files, policy }: Pick<Kit, 'entries' | 'files' | 'policy'>) =>
  async (): Promise<number> => {
    const ids = await files.listRemoved(policy.page);
    if (ids.length === 0 || !(await entries.sweep(ids))) return 0;
    await files.purge(ids);
    return ids.length;
  };
