import type {
  AccountsPorts,
  BillingPorts,
  Clock,
  FilesPorts,
  Leases,
  Log,
  ObjectStore,
  WebhookStore,
} from '../core/index.ts';
import type { TransferableStore } from './transfer/sections.ts';

/** The store cannot be used at all: a newer version wrote it, or its file system lacks locks. */
export class StoreUnusable extends Error {
  constructor(reason: string) {
    super(`The store cannot be used: ${reason}.`);
    this.name = 'StoreUnusable';
  }
}

/** Every port of a store, by its role. */
export interface StorePorts
  extends Pick<
      AccountsPorts,
      | 'accounts'
      | 'directory'
      | 'sessions'
      | 'presences'
      | 'tries'
      | 'customDomains'
      | 'loginKeys'
      | 'flows'
      | 'outbox'
      | 'audit'
      | 'statistics'
      | 'findings'
      | 'objects'
    >,
    Pick<FilesPorts, 'files' | 'activity' | 'sealed' | 'epoch' | 'owners'>,
    Pick<BillingPorts, 'ledger' | 'links' | 'rates'> {
  readonly webhooks: WebhookStore;
  readonly leases: Leases;
}

/** An open store. */
export interface OpenedStore {
  readonly ports: StorePorts;
  /** Prevents imports while a server starts; false while an import is under way. */
  takeStartLease(): Promise<boolean>;
  /** Whether the store answers and takes writes. */
  isUp(): Promise<boolean>;
  /** Whether objects can be read and stored, judged by the last calls of this process. It makes no call. */
  areObjectsUp(): boolean;
  /** For an export or import of the whole store. */
  transfer(): TransferableStore;
}

/** The store that the settings name, before it is opened. */
export interface UnopenedStore {
  /** Whether the store exists and was used before. */
  readonly isThere: boolean;
  /** Opens the store, and creates a missing store. Throws `StoreUnusable`, `ConfigError`. */
  open(): Promise<OpenedStore>;
  close(): Promise<void>;
}

/** What opening a store needs beside its settings. */
export interface StoreParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Whether a store of an older version is upgraded. Only servers do so; commands refuse an older store. */
  readonly upgrades: boolean;
  /** Replaces the store's own objects. */
  readonly objects?: ObjectStore;
}

/** The schema's version before and now. */
export interface MigrationReport {
  readonly before: number;
  readonly now: number;
}
