import type { FORMER_PORT_NAMES } from '../core/former-port-names.ts';
import type {
  AccountsPorts,
  Announcer,
  BillingPorts,
  Clock,
  FilesPorts,
  Leases,
  Log,
  ObjectStore,
  WebhookStore,
} from '../core/index.ts';
import { ConfigError } from './config/config-error.ts';
import type { TransferableStore } from './transfer/sections.ts';

/**
 * The store cannot be used now: another version wrote it, its server does not answer, its file is damaged, a restore or an import
 * into it is under way, or the like.
 */
export class StoreUnusable extends Error {
  constructor(reason: string) {
    super(`The store cannot be used: ${reason}.`);
    this.name = 'StoreUnusable';
  }
}

/** Throws `StoreUnusable` for a schema that a newer version of the program wrote. */
export const refuseNewer = (version: number, newest: number): void => {
  if (version > newest)
    throw new StoreUnusable(
      `it was written by a newer version (schema ${version}, this program knows ${newest})`,
    );
};

/** Throws `StoreUnusable` for a schema that an older version wrote. Version 0: there is no schema yet. */
export const refuseOlder = (version: number, newest: number): void => {
  if (version > 0 && version < newest)
    throw new StoreUnusable(
      `it is of an older version (schema ${version}, this one works with ${newest}): run gatehouse store migrate`,
    );
};

/** Logs that this process has upgraded the schema. */
export const logUpgrade = (log: Log | undefined, before: number, now: number): void =>
  log?.info('store.upgraded', { reason: `from schema ${before} to schema ${now}` });

/** Why a server cannot be used. `isSetting`: the setting is wrong; otherwise the server may come back. */
export interface NoConnection {
  /** The reason, for the message. */
  readonly word: string;
  readonly isSetting: boolean;
}

export const wrongSetting = (word: string): NoConnection => ({ word, isSetting: true });

/** Why no TLS connection can be made. An expired certificate is no wrong setting: it is renewed on the server. */
export const noTls = (reason: string): NoConnection => ({
  word: `no TLS connection can be made (${reason})`,
  isSetting: reason !== 'CERT_HAS_EXPIRED' && reason !== 'CERT_NOT_YET_VALID',
});

/** The error of a start that cannot connect. It names the setting. */
export const connectError = (setting: string, { word, isSetting }: NoConnection): Error =>
  isSetting ? new ConfigError([`${setting}: ${word}`]) : new StoreUnusable(`${setting}: ${word}`);

/** The names of all ports of a store. */
export const STORE_PORTS = [
  'accounts',
  'directory',
  'sessions',
  'sessionCache',
  'attempts',
  'customDomains',
  'loginKeys',
  'flows',
  'outbox',
  'audit',
  'statistics',
  'jobResults',
  'objects',
  'files',
  'activity',
  'sealed',
  'cacheGeneration',
  'owners',
  'ledger',
  'links',
  'rates',
  'webhooks',
  'leases',
] as const;

type PortsOfModules = AccountsPorts &
  FilesPorts &
  BillingPorts & { readonly webhooks: WebhookStore; readonly leases: Leases };

/** Every port of a store, by its role. */
export type StorePorts = Pick<PortsOfModules, (typeof STORE_PORTS)[number]>;

/** Ports under their former names. */
export type FormerStorePorts = {
  readonly [Name in keyof typeof FORMER_PORT_NAMES as (typeof FORMER_PORT_NAMES)[Name]]: StorePorts[Name];
};

/** Picks the ports of the store from a larger set. */
export const storePortsOf = (ports: StorePorts): StorePorts =>
  Object.fromEntries(STORE_PORTS.map((name) => [name, ports[name]])) as unknown as StorePorts;

export interface OpenedStore {
  readonly ports: StorePorts;
  /** Prevents imports while a server starts; false while an import is under way. */
  takeStartLease(): Promise<boolean>;
  /** Whether the store answers and takes writes. */
  isUp(): Promise<boolean>;
  /**
   * Whether the bucket of objects is up, judged by the last calls of this process. Makes no call. True without a bucket: so each
   * store returns true, and `findStore` replaces the method if the settings name a bucket.
   */
  areObjectsUp(): boolean;
  /** For an export or import of the whole store. */
  transfer(): TransferableStore;
}

/** The store that the settings name, before it is opened. */
export interface UnopenedStore {
  /** Whether the store exists. A database on a server exists as a store once it has the schema or layout. */
  readonly isThere: boolean;
  /** Opens the store, and creates a missing store. Throws `StoreUnusable`, `ConfigError`. */
  open(): Promise<OpenedStore>;
  /** Connects to announce writes to the processes that share the open store. Absent if the store cannot carry announcements. */
  openAnnouncer?(): Promise<Announcer>;
  close(): Promise<void>;
}

/** The parts that a store needs in addition to its settings. */
export interface StoreParts {
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Whether a server opens the store. A server upgrades an older SQL store. It refuses an older store on MongoDB, where only
   * `store migrate` upgrades, and a command refuses any older store.
   */
  readonly isServer: boolean;
  /** Replaces the store's own objects. */
  readonly objects?: ObjectStore;
}

/** The schema's version before and now. */
export interface MigrationReport {
  readonly before: number;
  readonly now: number;
}
