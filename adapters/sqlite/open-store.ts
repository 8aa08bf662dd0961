import { type Clock, CoreError, type ObjectStore } from '../../core/index.ts';
import { makeSqlLeases } from '../sql/leases.ts';
import { sqlPorts } from '../sql/ports.ts';
import { makeSqlTransfer } from '../sql/transfer.ts';
import type { StoreParts, UnopenedStore } from '../store.ts';
import { takeStartLease } from '../transfer/store-lease.ts';
import { openDatabase, storeFile } from './database.ts';
import type { EmbeddedDatabase } from './engine/database-file.ts';
import { isThere, takeCreationLock } from './restore-lock.ts';

/** What the embedded store needs. Its database keeps no objects: they are files beside it, or in a bucket. */
interface EmbeddedParts extends StoreParts {
  readonly objects: ObjectStore;
}

/** If the disk rejects writes, the start goes on: the store can be read, and no import, which would write, can be under way. */
const takeStartLeaseUnlessFull = async (
  { read, writeAtStart }: EmbeddedDatabase,
  clock: Clock,
): Promise<boolean> => {
  try {
    return await takeStartLease(makeSqlLeases({ read, write: writeAtStart }, clock));
  } catch (error) {
    if (error instanceof CoreError && error.kind === 'unavailable') return true;
    throw error;
  }
};

/**
 * The embedded store in `DATA_DIR`. For a store that does not exist yet: prevents restores until it is open, and throws
 * `StoreUnusable` during a restore or after an unfinished one, `ConfigError` if the folder cannot be written.
 */
export const findSqliteStore = (dataDir: string, parts: EmbeddedParts): UnopenedStore => {
  const file = storeFile(dataDir);
  const lock = isThere(file) ? undefined : takeCreationLock(dataDir);
  let current: EmbeddedDatabase | undefined;
  return {
    isThere: isThere(file),
    open: async () => {
      const database = openDatabase({ folder: dataDir, log: parts.log, upgrades: parts.isServer });
      current = database;
      lock?.release();
      const ports = sqlPorts(database, parts);
      return {
        ports,
        takeStartLease: () => takeStartLeaseUnlessFull(database, parts.clock),
        // For objects in a bucket, `findStore` replaces this.
        areObjectsUp: () => true,
        transfer: () => makeSqlTransfer(database, parts.objects),
        isUp: async () =>
          (await database.read.get('SELECT 1 AS up', [])) !== undefined && (await database.canWrite()),
      };
    },
    close: async () => {
      lock?.release();
      await current?.close();
    },
  };
};
