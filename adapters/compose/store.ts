import type { AccountsPorts, BillingPorts, Clock, FilesPorts, Leases, Log } from '../../core/index.ts';
import type { Config } from '../config/types.ts';
import { holdToStart } from '../moving/hold.ts';
import type { MovableStore } from '../moving/sections.ts';
import { StoreUnusable } from '../sqlite/database.ts';
import { findSqliteStore } from './sqlite-store.ts';

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
      | 'outbox'
      | 'audit'
      | 'objects'
    >,
    Pick<FilesPorts, 'files' | 'activity' | 'sealed' | 'epoch' | 'owners'>,
    Pick<BillingPorts, 'ledger' | 'links' | 'rates'> {
  readonly leases: Leases;
}

/** A store that may be worked with. */
export interface OpenedStore {
  readonly ports: StorePorts;
  /** Whether it answers and takes writes. */
  isUp(): Promise<boolean>;
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

/**
 * Opens the store of a place to be worked on, by a server: from then on none is imported into it. Throws what `open`
 * does, and `StoreUnusable` in the midst of an import.
 */
export const openForServer = async (place: StorePlace): Promise<OpenedStore> => {
  const store = await place.open();
  if (!(await holdToStart(store.ports.leases))) throw new StoreUnusable('an import into it is under way');
  return refuseHalf(store);
};

/** The same for something else than a server. */
export const openForWork = async (place: StorePlace): Promise<OpenedStore> => refuseHalf(await place.open());

const refuseHalf = async (store: OpenedStore): Promise<OpenedStore> => {
  if ((await store.movable().mark()) !== undefined) {
    throw new StoreUnusable(
      'an import into it was begun and has not ended: run store import with its file again',
    );
  }
  return store;
};

/** What opens a store beside its settings. */
export interface StoreParts {
  readonly clock: Clock;
  readonly log: Log;
}

/** The store that the settings choose. Throws `ConfigError`, `StoreUnusable`. */
export const findStore = async (config: Config, parts: StoreParts): Promise<StorePlace> => {
  if (config.mongodbUrl === null) return findSqliteStore(config, parts);
  // Its driver takes longer to load than the embedded store does to open.
  const { findMongoStore } = await import('./mongodb-store.ts');
  return findMongoStore(config.mongodbUrl, config.redisUrl, parts);
};
