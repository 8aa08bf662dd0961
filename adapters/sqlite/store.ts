import { type Clock, CoreError, type ObjectStore } from '../../core/index.ts';
import { holdToStart } from '../moving/hold.ts';
import type { StoreParts, StorePlace, StorePorts } from '../store-place.ts';
import { makeSqliteAccountStore } from './account-store.ts';
import { makeSqliteAuditStore } from './audit-store.ts';
import { makeSqliteCacheEpoch } from './cache-epoch.ts';
import { makeSqliteCustomerLinks } from './customer-links.ts';
import { openDatabase, storeFile } from './database.ts';
import { makeSqliteDirectory } from './directory.ts';
import { makeSqliteDomainStore } from './domain-store.ts';
import type { Database } from './engine/statements.ts';
import { makeSqliteEventLedger } from './event-ledger.ts';
import { makeSqliteFindings } from './figures/findings.ts';
import { makeSqliteStatistics } from './figures/statistics.ts';
import { makeSqliteFileActivity } from './file-activity.ts';
import { makeSqliteFileOwners } from './file-owners.ts';
import { makeSqliteFileStore } from './file-store.ts';
import { makeSqliteLeases } from './leases.ts';
import { makeSqliteMovable } from './movable.ts';
import { makeSqliteOutboxStore, makeSqliteWebhookStore } from './outbox-store.ts';
import { makeSqlitePresences } from './presences.ts';
import { makeSqliteRateStore } from './rate-store.ts';
import { holdToMakeStore, isThere } from './restoring.ts';
import { makeSqliteSealedFiles } from './sealed-files.ts';
import { makeSqliteSessionStore } from './session-store.ts';
import { makeSqliteFlowStore } from './sign-in/flow-store.ts';
import { makeSqliteLoginKeyStore } from './sign-in/login-key-store.ts';
import { makeSqliteTriesStore } from './tries-store.ts';

/** What opens the embedded store. It keeps no objects: those lie in files beside it. */
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
  presences: makeSqlitePresences(database),
  tries: makeSqliteTriesStore(database),
  customDomains: makeSqliteDomainStore(database),
  loginKeys: makeSqliteLoginKeyStore(database),
  flows: makeSqliteFlowStore(database),
  outbox: makeSqliteOutboxStore(database),
  webhooks: makeSqliteWebhookStore(database),
  files: makeSqliteFileStore(database),
  activity: makeSqliteFileActivity(database),
  sealed: makeSqliteSealedFiles(database),
  epoch: makeSqliteCacheEpoch(database),
  owners: makeSqliteFileOwners(database),
  audit: makeSqliteAuditStore(database),
  statistics: makeSqliteStatistics(database),
  findings: makeSqliteFindings(database),
  ledger: makeSqliteEventLedger(database),
  links: makeSqliteCustomerLinks(database),
  rates: makeSqliteRateStore(database),
  leases: makeSqliteLeases(database, clock),
  objects,
});

/**
 * Writes on the main thread, since the writer thread starts only after the first answers. If the disk takes no writes, no
 * import can be under way either, and the store can be read.
 */
const holdUnlessFull = async ({ read, writeNow }: Database, clock: Clock): Promise<boolean> => {
  try {
    return await holdToStart(makeSqliteLeases({ read, write: async (unit) => writeNow(unit) }, clock));
  } catch (error) {
    if (error instanceof CoreError && error.kind === 'unavailable') return true;
    throw error;
  }
};

/**
 * The embedded store in `DATA_DIR`. Where there is none, no restore begins until it is open. Throws `StoreUnusable` in the
 * midst of one.
 */
export const findSqliteStore = (dataDir: string, parts: EmbeddedParts): StorePlace => {
  const file = storeFile(dataDir);
  const hold = isThere(file) ? undefined : holdToMakeStore(dataDir);
  let database: Database | undefined;
  return {
    isThere: isThere(file),
    open: async () => {
      const opened = openDatabase({ folder: dataDir, log: parts.log, upgrades: parts.upgrades });
      database = opened;
      hold?.release();
      const ports = sqlitePorts(opened, parts);
      return {
        ports,
        holdToStart: () => holdUnlessFull(opened, parts.clock),
        areObjectsUp: () => true,
        movable: () => makeSqliteMovable(opened, parts.objects),
        isUp: async () => opened.read.get('SELECT 1 AS up', []) !== undefined && (await opened.canWrite()),
      };
    },
    close: async () => {
      hold?.release();
      await database?.close();
    },
  };
};
