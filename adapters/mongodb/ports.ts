import type { StoreParts, StorePorts } from '../store.ts';
import { makeMongoAccountStore } from './account-store.ts';
import { makeMongoAttemptsStore } from './attempts-store.ts';
import { makeMongoAuditStore } from './audit-store.ts';
import { makeMongoCacheGeneration } from './cache-generation.ts';
import { makeMongoCustomerLinks } from './customer-links.ts';
import { makeMongoDirectory } from './directory.ts';
import { makeMongoDomainStore } from './domain-store.ts';
import type { MongoDatabase } from './engine/client.ts';
import { makeMongoEventLedger } from './event-ledger.ts';
import { makeMongoRateStore } from './exchange-rate-store.ts';
import { makeMongoFileActivity } from './file-activity.ts';
import { makeMongoFileOwners, makeMongoFileStore } from './file-store.ts';
import { makeMongoFlowStore } from './flow-store.ts';
import { makeMongoKeyValueStore } from './key-value-store.ts';
import { makeMongoLeases } from './leases.ts';
import { makeMongoLoginKeyStore } from './login-key-store.ts';
import { makeMongoObjects } from './object-store.ts';
import { makeMongoOutboxStore, makeMongoWebhookStore } from './outbox-store.ts';
import { makeMongoSealedFiles } from './sealed-files.ts';
import { makeMongoSessionStore } from './session-store.ts';
import { makeMongoStatistics } from './statistics.ts';

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
    sessionCache: { find: sessions.findWithAccount },
    attempts: makeMongoAttemptsStore(database),
    customDomains: makeMongoDomainStore(database),
    loginKeys: makeMongoLoginKeyStore(database),
    flows: makeMongoFlowStore(database),
    outbox: makeMongoOutboxStore(database),
    webhooks: makeMongoWebhookStore(database),
    files: makeMongoFileStore(database),
    activity: makeMongoFileActivity(database),
    sealed: makeMongoSealedFiles(database),
    cacheGeneration: makeMongoCacheGeneration(database),
    owners: makeMongoFileOwners(database),
    audit: makeMongoAuditStore(database),
    statistics: makeMongoStatistics(database),
    jobResults: makeMongoKeyValueStore(database),
    ledger: makeMongoEventLedger(database),
    links: makeMongoCustomerLinks(database),
    rates: makeMongoRateStore(database),
    leases: makeMongoLeases(database, clock),
    objects: objects ?? makeMongoObjects(database, clock),
  };
};
