import type { StoreParts, StorePorts } from '../store.ts';
import { accountStoreIndexes, makeMongoAccountStore } from './account-store.ts';
import { attemptsStoreIndexes, makeMongoAttemptsStore } from './attempts-store.ts';
import { auditStoreIndexes, makeMongoAuditStore } from './audit-store.ts';
import { makeMongoCacheGeneration } from './cache-generation.ts';
import { customerLinksIndexes, makeMongoCustomerLinks } from './customer-links.ts';
import { makeMongoDirectory } from './directory.ts';
import { domainStoreIndexes, makeMongoDomainStore } from './domain-store.ts';
import type { MongoDatabase } from './engine/client.ts';
import type { Indexes } from './engine/indexes.ts';
import { eventLedgerIndexes, makeMongoEventLedger } from './event-ledger.ts';
import { makeMongoRateStore, rateStoreIndexes } from './exchange-rate-store.ts';
import { makeMongoFileActivity } from './file-activity.ts';
import { fileIndexes, makeMongoFileOwners, makeMongoFileStore } from './file-store.ts';
import { flowStoreIndexes, makeMongoFlowStore } from './flow-store.ts';
import { keyValueStoreIndexes, makeMongoKeyValueStore } from './key-value-store.ts';
import { leasesIndexes, makeMongoLeases } from './leases.ts';
import { loginKeyStoreIndexes, makeMongoLoginKeyStore } from './login-key-store.ts';
import { makeMongoObjects, objectIndexes } from './object-store.ts';
import { makeMongoOutboxStore, makeMongoWebhookStore, outboxStoreIndexes } from './outbox-store.ts';
import { makeMongoSealedFiles } from './sealed-files.ts';
import { makeMongoSessionStore, sessionStoreIndexes } from './session-store.ts';
import { makeMongoStatistics, statisticsIndexes } from './statistics.ts';

/** All indexes, by collection. */
export const indexes: Indexes = {
  ...accountStoreIndexes,
  ...sessionStoreIndexes,
  ...attemptsStoreIndexes,
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
  ...keyValueStoreIndexes,
};

/** Every store port by its role, on MongoDB. */
export const mongoPorts = (
  database: MongoDatabase,
  { clock, objects }: Pick<StoreParts, 'clock' | 'objects'>,
): StorePorts => {
  const sessions = makeMongoSessionStore(database);
  return {
    accounts: makeMongoAccountStore(database),
    directory: makeMongoDirectory(database, clock),
    sessions,
    presences: { find: sessions.findWithAccount },
    tries: makeMongoAttemptsStore(database),
    customDomains: makeMongoDomainStore(database),
    loginKeys: makeMongoLoginKeyStore(database),
    flows: makeMongoFlowStore(database),
    outbox: makeMongoOutboxStore(database),
    webhooks: makeMongoWebhookStore(database),
    files: makeMongoFileStore(database),
    activity: makeMongoFileActivity(database),
    sealed: makeMongoSealedFiles(database),
    epoch: makeMongoCacheGeneration(database),
    owners: makeMongoFileOwners(database),
    audit: makeMongoAuditStore(database),
    statistics: makeMongoStatistics(database),
    findings: makeMongoKeyValueStore(database),
    ledger: makeMongoEventLedger(database),
    links: makeMongoCustomerLinks(database),
    rates: makeMongoRateStore(database),
    leases: makeMongoLeases(database, clock),
    objects: objects ?? makeMongoObjects(database, clock),
  };
};
