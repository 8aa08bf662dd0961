import type { Log } from '../../core/ports.ts';
import type { MongoDatabase } from './client.ts';
import { storeUnavailable } from './failures.ts';
import { layoutOf, whatIsMissing } from './installation.ts';
import type { Indexes } from './schema.ts';

/** Milliseconds between two looks. */
const EVERY = 2_000;

/**
 * The database for as long as its layout is there. One that is dropped or emptied under a running server would come back
 * with the first write, without anybody's account and without indexes, as if all were well. So from then on every call
 * throws `unavailable`, until layout and indexes are there again, as after a restoration. `close` ends the looks alone.
 */
export const watchLayout = (
  database: MongoDatabase,
  indexes: Indexes,
  { log, every = EVERY }: { readonly log: Log; readonly every?: number },
): MongoDatabase => {
  let isThere = true;

  const look = async (): Promise<void> => {
    if (isThere) {
      isThere = (await layoutOf(database)) > 0;
      if (!isThere) log.error('store.emptied', { reason: 'the database was dropped or emptied' });
    } else if ((await whatIsMissing(database, indexes)) === undefined) {
      isThere = true;
      log.warn('store.restored');
    }
  };

  let timer: NodeJS.Timeout | undefined;
  const lookLater = () => {
    // A server that does not answer says nothing of what it keeps.
    timer = setTimeout(
      () =>
        look()
          .catch(() => undefined)
          .finally(() => timer && lookLater()),
      every,
    ).unref();
  };
  lookLater();

  return {
    ...database,
    call: async (work, deadline) => {
      if (isThere) return database.call(work, deadline);
      throw storeUnavailable();
    },
    isUp: async () => isThere && database.isUp(),
    close: async () => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
};
