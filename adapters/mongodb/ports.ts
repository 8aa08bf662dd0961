import type { StoreParts, StorePorts } from '../store-place.ts';
import { accountStoreIndexes, makeMongoAccountStore } from './account-store.ts';
import { auditStoreIndexes, makeMongoAuditStore } from './audit-store.ts';
import { makeMongoCacheEpoch } from './cache-epoch.ts';
import { customerLinksIndexes, makeMongoCustomerLinks } from './customer-links.ts';
import { makeMongoDirectory } from './directory.ts';
import { domainStoreIndexes, makeMongoDomainStore } from './domain-store.ts';
import type { MongoDatabase } from './engine/client.ts';
import type { Indexes } from './engine/schema.ts';
import { eventLedgerIndexes, makeMongoEventLedger } from './event-ledger.ts';
import { findingsIndexes, makeMongoFindings } from './figures/findings.ts';
import { makeMongoStatistics, statisticsIndexes } from './figures/statistics.ts';
import { makeMongoFileActivity } from './file-activity.ts';
import { makeMongoFileOwners } from './file-owners.ts';
import { fileIndexes, makeMongoFileStore } from './file-store.ts';
import { leasesIndexes, makeMongoLeases } from './leases.ts';
import { makeMongoObjects, objectIndexes } from './object-store.ts';
import { makeMongoOutboxStore, makeMongoWebhookStore, outboxStoreIndexes } from './outbox-store.ts';
import { makeMongoPresences } from './presences.ts';
import { makeMongoRateStore, rateStoreIndexes } from './rate-store.ts';
import { makeMongoSealedFiles } from './sealed-files.ts';
import { makeMongoSessionStore, sessionStoreIndexes } from './session-store.ts';
import { flowStoreIndexes, makeMongoFlowStore } from './sign-in/flow-store.ts';
import { loginKeyStoreIndexes, makeMongoLoginKeyStore } from './sign-in/login-key-store.ts';
import { makeMongoTriesStore, triesStoreIndexes } from './tries-store.ts';

/** All indexes, by collection. */
export const indexes: Indexes = {
  ...accountStoreIndexes,
  ...sessionStoreIndexes,
  ...triesStoreIndexes,
  ...domainStoreIndexes,
  ...loginKeyStoreIndexes,
  ...flowStoreIndexes,
  ...outboxStoreIndexes,
  ...auditStoreIndexes,
  ...fileIndexes,
  ...objectIndexes,
  ...eventLedgerIndexes,
  ...customerLinksIndexes,
  ...rateStoreIndexes,
  ...leasesIndexes,
  ...statisticsIndexes,
  ...findingsIndexes,
};

/** Every store port by its role, on MongoDB. */
export const mongoPorts = (
  database: MongoDatabase,
  { clock, objects }: Pick<StoreParts, 'clock' | 'objects'>,
): StorePorts => ({
  accounts: makeMongoAccountStore(database),
  directory: makeMongoDirectory(database, clock),
  sessions: makeMongoSessionStore(database),
  presences: makeMongoPresences(database),
  tries: makeMongoTriesStore(database),
  customDomains: makeMongoDomainStore(database),
  loginKeys: makeMongoLoginKeyStore(database),
  flows: makeMongoFlowStore(database),
  outbox: makeMongoOutboxStore(database),
  webhooks: makeMongoWebhookStore(database),
  files: makeMongoFileStore(database),
  activity: makeMongoFileActivity(database),
  sealed: makeMongoSealedFiles(database),
  epoch: makeMongoCacheEpoch(database),
  owners: makeMongoFileOwners(database),
  audit: makeMongoAuditStore(database),
  statistics: makeMongoStatistics(database),
  findings: makeMongoFindings(database),
  ledger: makeMongoEventLedger(database),
  links: makeMongoCustomerLinks(database),
  rates: makeMongoRateStore(database),
  leases: makeMongoLeases(database, clock),
  objects: objects ?? makeMongoObjects(database, clock),
});
