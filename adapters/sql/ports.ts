import type { Clock, ObjectStore } from '../../core/index.ts';
import type { StorePorts } from '../store.ts';
import { makeSqlAccountStore } from './account-store.ts';
import { makeSqlAttemptsStore } from './attempts-store.ts';
import { makeSqlAuditStore } from './audit-store.ts';
import { makeSqlCacheGeneration } from './cache-generation.ts';
import { makeSqlCustomerLinks } from './customer-links.ts';
import type { Database } from './database.ts';
import { makeSqlDirectory } from './directory.ts';
import { makeSqlDomainStore } from './domain-store.ts';
import { makeSqlEventLedger } from './event-ledger.ts';
import { makeSqlRateStore } from './exchange-rate-store.ts';
import { makeSqlFileActivity } from './file-activity.ts';
import { makeSqlFileOwners, makeSqlFileStore } from './file-store.ts';
import { makeSqlFlowStore } from './flow-store.ts';
import { makeSqlKeyValueStore } from './key-value-store.ts';
import { makeSqlLeases } from './leases.ts';
import { makeSqlLoginKeyStore } from './login-key-store.ts';
import { makeSqlOutboxStore, makeSqlWebhookStore } from './outbox-store.ts';
import { makeSqlSealedFiles } from './sealed-files.ts';
import { makeSqlSessionStore } from './session-store.ts';
import { makeSqlStatistics } from './statistics.ts';

/** All store ports by role, in an SQL database. */
export const sqlPorts = (
  database: Database,
  { clock, objects }: { readonly clock: Clock; readonly objects: ObjectStore },
): StorePorts => {
  const sessions = makeSqlSessionStore(database);
  return {
    accounts: makeSqlAccountStore(database),
    directory: makeSqlDirectory(database),
    sessions,
    sessionCache: { find: sessions.findWithAccount },
    attempts: makeSqlAttemptsStore(database),
    customDomains: makeSqlDomainStore(database),
    loginKeys: makeSqlLoginKeyStore(database),
    flows: makeSqlFlowStore(database),
    outbox: makeSqlOutboxStore(database),
    webhooks: makeSqlWebhookStore(database),
    files: makeSqlFileStore(database),
    activity: makeSqlFileActivity(database),
    sealed: makeSqlSealedFiles(database),
    cacheGeneration: makeSqlCacheGeneration(database),
    owners: makeSqlFileOwners(database),
    audit: makeSqlAuditStore(database),
    statistics: makeSqlStatistics(database),
    jobResults: makeSqlKeyValueStore(database),
    ledger: makeSqlEventLedger(database),
    links: makeSqlCustomerLinks(database),
    rates: makeSqlRateStore(database),
    leases: makeSqlLeases(database, clock),
    objects,
  };
};
