import { type Clock, CoreError, type ObjectStore } from '../../core/index.ts';
import type { StoreParts, StorePlace, StorePorts } from '../store-place.ts';
import { holdToStart } from '../transfer/store-hold.ts';
import { makeSqliteAccountStore } from './account-store.ts';
import { makeSqliteAttemptsStore } from './attempts-store.ts';
import { makeSqliteAuditStore } from './audit-store.ts';
import { makeSqliteCacheGeneration } from './cache-generation.ts';
import { makeSqliteCustomerLinks } from './customer-links.ts';
import { openDatabase, storeFile } from './database.ts';
import { makeSqliteDirectory } from './directory.ts';
import { makeSqliteDomainStore } from './domain-store.ts';
import type { Database, EmbeddedDatabase } from './engine/statements.ts';
import { makeSqliteEventLedger } from './event-ledger.ts';
import { makeSqliteFileActivity } from './file-activity.ts';
import { makeSqliteFileOwners } from './file-owners.ts';
import { makeSqliteFileStore } from './file-store.ts';
import { makeSqliteFlowStore } from './flow-store.ts';
import { makeSqliteKeyValueStore } from './key-value-store.ts';
import { makeSqliteLeases } from './leases.ts';
import { makeSqliteLoginKeyStore } from './login-key-store.ts';
import { makeSqliteOutboxStore, makeSqliteWebhookStore } from './outbox-store.ts';
import { makeSqliteRateStore } from './rate-store.ts';
import { holdToMakeStore, isThere } from './restore-lock.ts';
import { makeSqliteSealedFiles } from './sealed-files.ts';
import { makeSqliteSessionStore, makeSqliteSessionsWithAccounts } from './session-store.ts';
import { makeSqliteStatistics } from './statistics.ts';
import { makeSqliteTransfer } from './transfer.ts';

/** What the embedded store needs. Its database keeps no objects: they are files beside it. */
interface EmbeddedParts extends StoreParts {
  readonly objects: ObjectStore;
}

/** Every store port by its role, in the embedded store. */
export const sqlitePorts = (
  database: Database,
  { clock, objects }: Pick<EmbeddedParts, 'clock' | 'objects'>,
): StorePorts => ({
  accounts: makeSqliteAccountStore(database),
  directory: makeSqliteDirectory(database),
  sessions: makeSqliteSessionStore(database),
  presences: makeSqliteSessionsWithAccounts(database),
  tries: makeSqliteAttemptsStore(database),
  customDomains: makeSqliteDomainStore(database),
  loginKeys: makeSqliteLoginKeyStore(database),
  flows: makeSqliteFlowStore(database),
  outbox: makeSqliteOutboxStore(database),
  webhooks: makeSqliteWebhookStore(database),
  files: makeSqliteFileStore(database),
  activity: makeSqliteFileActivity(database),
  sealed: makeSqliteSealedFiles(database),
  epoch: makeSqliteCacheGeneration(database),
  owners: makeSqliteFileOwners(database),
  audit: makeSqliteAuditStore(database),
  statistics: makeSqliteStatistics(database),
  findings: makeSqliteKeyValueStore(database),
  ledger: makeSqliteEventLedger(database),
  links: makeSqliteCustomerLinks(database),
  rates: makeSqliteRateStore(database),
  leases: makeSqliteLeases(database, clock),
  objects,
});

/**
 * Writes on the main thread, since the writer thread starts only after the first answers. If the disk rejects writes, no
 * import can be under way either, and the store can be read.
 */
const holdUnlessFull = async ({ read, writeAtStart }: Database, clock: Clock): Promise<boolean> => {
  try {
    return await holdToStart(makeSqliteLeases({ read, write: writeAtStart }, clock));
  } catch (error) {
    if (error instanceof CoreError && error.kind === 'unavailable') return true;
    throw error;
  }
};

/**
 * The embedded store in `DATA_DIR`. If it does not exist yet, no restore begins until it is open. Throws `StoreUnusable`
 * during a restore.
 */
export const findSqliteStore = (dataDir: string, parts: EmbeddedParts): StorePlace => {
  const file = storeFile(dataDir);
  const hold = isThere(file) ? undefined : holdToMakeStore(dataDir);
  let current: EmbeddedDatabase | undefined;
  return {
    isThere: isThere(file),
    open: async () => {
      const database = openDatabase({ folder: dataDir, log: parts.log, upgrades: parts.upgrades });
      current = database;
      hold?.release();
      const ports = sqlitePorts(database, parts);
      return {
        ports,
        holdToStart: () => holdUnlessFull(database, parts.clock),
        areObjectsUp: () => true,
        transfer: () => makeSqliteTransfer(database, parts.objects),
        isUp: async () =>
          (await database.read.get('SELECT 1 AS up', [])) !== undefined && (await database.canWrite()),
      };
    },
    close: async () => {
      hold?.release();
      await current?.close();
    },
  };
};
