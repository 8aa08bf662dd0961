import type { Clock } from '../../core/index.ts';
import { makeSqliteAccountStore } from '../sqlite/account-store.ts';
import { makeSqliteAuditStore } from '../sqlite/audit-store.ts';
import { makeSqliteCacheEpoch } from '../sqlite/cache-epoch.ts';
import { makeSqliteCustomerLinks } from '../sqlite/customer-links.ts';
import type { Database } from '../sqlite/database.ts';
import { makeSqliteDirectory } from '../sqlite/directory.ts';
import { makeSqliteDomainStore } from '../sqlite/domain-store.ts';
import { makeSqliteEventLedger } from '../sqlite/event-ledger.ts';
import { makeSqliteFileActivity } from '../sqlite/file-activity.ts';
import { makeSqliteFileOwners } from '../sqlite/file-owners.ts';
import { makeSqliteFileStore } from '../sqlite/file-store.ts';
import { makeSqliteLeases } from '../sqlite/leases.ts';
import { makeSqliteOutboxStore } from '../sqlite/outbox-store.ts';
import { makeSqlitePresences } from '../sqlite/presences.ts';
import { makeSqliteRateStore } from '../sqlite/rate-store.ts';
import { makeSqliteSealedFiles } from '../sqlite/sealed-files.ts';
import { makeSqliteSessionStore } from '../sqlite/session-store.ts';
import { makeSqliteTriesStore } from '../sqlite/tries-store.ts';

/** Every store port by its role, on the embedded store. */
export const sqliteStores = (database: Database, clock: Clock) => ({
  accounts: makeSqliteAccountStore(database),
  directory: makeSqliteDirectory(database),
  sessions: makeSqliteSessionStore(database),
  presences: makeSqlitePresences(database),
  tries: makeSqliteTriesStore(database),
  customDomains: makeSqliteDomainStore(database),
  outbox: makeSqliteOutboxStore(database),
  files: makeSqliteFileStore(database),
  activity: makeSqliteFileActivity(database),
  sealed: makeSqliteSealedFiles(database),
  epoch: makeSqliteCacheEpoch(database),
  owners: makeSqliteFileOwners(database),
  audit: makeSqliteAuditStore(database),
  ledger: makeSqliteEventLedger(database),
  links: makeSqliteCustomerLinks(database),
  rates: makeSqliteRateStore(database),
  leases: makeSqliteLeases(database, clock),
});
