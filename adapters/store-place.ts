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
import type { MovableStore } from './moving/sections.ts';

/** The store cannot be worked with at all: written by a newer version, or on a file system without locking. */
export class StoreUnusable extends Error {
  constructor(reason: string) {
    super(`The store cannot be used: ${reason}.`);
    this.name = 'StoreUnusable';
  }
}

/** Every port that a store keeps, by its role. */
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

/** A store that may be worked with. */
export interface OpenedStore {
  readonly ports: StorePorts;
  /** Keeps imports out, for a server that starts; false while one is at work. */
  holdToStart(): Promise<boolean>;
  /** Whether it answers and takes writes. */
  isUp(): Promise<boolean>;
  /** Whether the objects can be read and stored, as far as the calls of this process tell. It costs no call. */
  areObjectsUp(): boolean;
  /** All of it, to be moved to another. */
  movable(): MovableStore;
}

/** Where the settings say that the store is. */
export interface StorePlace {
  /** Whether one is there that was used before. */
  readonly isThere: boolean;
  /** Opens it, and makes it first where there is none. Throws `StoreUnusable`, `ConfigError`. */
  open(): Promise<OpenedStore>;
  close(): Promise<void>;
}

/** What opens a store beside its settings. */
export interface StoreParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Whether a store of an older version is brought up to date: by servers alone, else it is refused. */
  readonly upgrades: boolean;
  /** In place of the objects that the store would keep. */
  readonly objects?: ObjectStore;
}

/** The schema's version before and now. */
export interface MigrationReport {
  readonly before: number;
  readonly now: number;
}
