import type { Account } from '../../core/accounts/account.ts';
import type { MailEntry } from '../../core/accounts/outbox-entries.ts';
import type { Clock } from '../../core/ports.ts';
import type { WebhookEntry } from '../../core/webhooks/ports.ts';
import type { StorePorts } from '../store-place.ts';
import { makeMemoryAccountStore } from './account-store.ts';
import { type CountedTries, makeMemoryAttemptsStore } from './attempts-store.ts';
import { makeMemoryAuditStore } from './audit-store.ts';
import { makeMemoryCacheGeneration } from './cache-generation.ts';
import { makeMemoryCustomerLinks } from './customer-links.ts';
import { makeMemoryDirectory } from './directory.ts';
import { makeMemoryDomainStore } from './domain-store.ts';
import { makeMemoryEventLedger } from './event-ledger.ts';
import { makeMemoryFileActivity } from './file-activity.ts';
import { makeMemoryFileOwners } from './file-owners.ts';
import { type HeldFiles, makeMemoryFileStore } from './file-store.ts';
import { makeMemoryFlowStore } from './flow-store.ts';
import { makeMemoryKeyValueStore } from './key-value-store.ts';
import { type HeldLeases, makeMemoryLeases } from './leases.ts';
import { makeMemoryLoginKeyStore } from './login-key-store.ts';
import { makeMemoryObjects } from './object-store.ts';
import { makeMemoryOutboxStore, makeMemoryWebhookStore, type WaitingEntries } from './outbox-store.ts';
import { makeMemoryRateStore } from './rate-store.ts';
import { makeMemorySealedFiles } from './sealed-files.ts';
import { makeMemoryPresences, makeMemorySessionStore, type Sessions } from './session-store.ts';
import { makeMemoryStatistics } from './statistics.ts';

/** A store in memory: every port that a store keeps. Nothing is left of it once nobody has its ports any more. */
export const makeMemoryStore = (clock: Clock): StorePorts => {
  const accounts = new Map<string, Account>();
  const sessions: Sessions = new Map();
  const tries: CountedTries = new Map();
  const customDomains = new Map();
  const flows = new Map();
  const outbox: WaitingEntries<MailEntry> = new Map();
  const webhooks: WaitingEntries<WebhookEntry> = new Map();
  const files: HeldFiles = new Map();
  const leases: HeldLeases = new Map();
  const isUsed = () =>
    [accounts, sessions, tries, customDomains, flows, outbox, webhooks, files, leases].some(
      ({ size }) => size > 0,
    );

  return {
    accounts: makeMemoryAccountStore(accounts),
    directory: makeMemoryDirectory(accounts),
    sessions: makeMemorySessionStore(sessions, accounts),
    presences: makeMemoryPresences(sessions, accounts),
    tries: makeMemoryAttemptsStore(tries),
    customDomains: makeMemoryDomainStore(customDomains),
    loginKeys: makeMemoryLoginKeyStore(new Map()),
    flows: makeMemoryFlowStore(flows),
    outbox: makeMemoryOutboxStore(outbox),
    webhooks: makeMemoryWebhookStore(webhooks),
    audit: makeMemoryAuditStore({ accounts, isUsed }),
    statistics: makeMemoryStatistics(),
    findings: makeMemoryKeyValueStore(),
    objects: makeMemoryObjects(clock),
    files: makeMemoryFileStore(files),
    activity: makeMemoryFileActivity(files),
    sealed: makeMemorySealedFiles(files),
    epoch: makeMemoryCacheGeneration(),
    owners: makeMemoryFileOwners(accounts),
    ledger: makeMemoryEventLedger(new Map()),
    links: makeMemoryCustomerLinks(),
    rates: makeMemoryRateStore(),
    leases: makeMemoryLeases(leases, clock),
  };
};
