import type { Log } from '../../../core/ports.ts';
import type { MongoDatabase } from '../engine/client.ts';
import { storeUnavailable } from '../engine/failures.ts';
import type { Indexes } from '../engine/schema.ts';
import { layoutOf, whatIsMissing } from './installation.ts';

/** Milliseconds between two checks. */
const EVERY = 2_000;

/**
 * Guards the database against use without its layout. If it is dropped or emptied under a running server, the first write
 * would make it again, without accounts and indexes, as if all were well. Instead every call throws `unavailable` until
 * layout and indexes are there again, for example after a restore. `close` ends the checks, not the connection.
 * See decision 0043.
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
    // If the server does not answer, nothing is known about its layout.
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
