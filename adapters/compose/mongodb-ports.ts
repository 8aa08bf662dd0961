import { accountStoreIndexes, makeMongoAccountStore } from '../mongodb/account-store.ts';
import { auditStoreIndexes, makeMongoAuditStore } from '../mongodb/audit-store.ts';
import { makeMongoCacheEpoch } from '../mongodb/cache-epoch.ts';
import type { MongoDatabase } from '../mongodb/client.ts';
import { customerLinksIndexes, makeMongoCustomerLinks } from '../mongodb/customer-links.ts';
import { makeMongoDirectory } from '../mongodb/directory.ts';
import { domainStoreIndexes, makeMongoDomainStore } from '../mongodb/domain-store.ts';
import { eventLedgerIndexes, makeMongoEventLedger } from '../mongodb/event-ledger.ts';
import { makeMongoFileActivity } from '../mongodb/file-activity.ts';
import { makeMongoFileOwners } from '../mongodb/file-owners.ts';
import { fileIndexes, makeMongoFileStore } from '../mongodb/file-store.ts';
import { leasesIndexes, makeMongoLeases } from '../mongodb/leases.ts';
import { makeMongoObjects, objectIndexes } from '../mongodb/object-store.ts';
import { makeMongoOutboxStore, outboxStoreIndexes } from '../mongodb/outbox-store.ts';
import { makeMongoPresences } from '../mongodb/presences.ts';
import { makeMongoRateStore, rateStoreIndexes } from '../mongodb/rate-store.ts';
import type { Indexes } from '../mongodb/schema.ts';
import { makeMongoSealedFiles } from '../mongodb/sealed-files.ts';
import { makeMongoSessionStore, sessionStoreIndexes } from '../mongodb/session-store.ts';
import { makeMongoTriesStore, triesStoreIndexes } from '../mongodb/tries-store.ts';
import type { StoreParts, StorePorts } from './store-place.ts';

/** All indexes, by collection. */
export const indexes: Indexes = {
  ...accountStoreIndexes,
  ...sessionStoreIndexes,
  ...triesStoreIndexes,
  ...domainStoreIndexes,
  ...outboxStoreIndexes,
  ...auditStoreIndexes,
  ...fileIndexes,
  ...objectIndexes,
  ...eventLedgerIndexes,
  ...customerLinksIndexes,
  ...rateStoreIndexes,
  ...leasesIndexes,
};

/** Every store port by its role, on MongoDB. */
export const mongoPorts = (database: MongoDatabase, { clock }: Pick<StoreParts, 'clock'>): StorePorts => ({
  accounts: makeMongoAccountStore(database),
  directory: makeMongoDirectory(database, clock),
  sessions: makeMongoSessionStore(database),
  presences: makeMongoPresences(database),
  tries: makeMongoTriesStore(database),
  customDomains: makeMongoDomainStore(database),
  outbox: makeMongoOutboxStore(database),
  files: makeMongoFileStore(database),
  activity: makeMongoFileActivity(database),
  sealed: makeMongoSealedFiles(database),
  epoch: makeMongoCacheEpoch(database),
  owners: makeMongoFileOwners(database),
  audit: makeMongoAuditStore(database),
  ledger: makeMongoEventLedger(database),
  links: makeMongoCustomerLinks(database),
  rates: makeMongoRateStore(database),
  leases: makeMongoLeases(database, clock),
  objects: makeMongoObjects(database, clock),
});
