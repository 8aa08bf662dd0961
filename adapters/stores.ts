import type { Config } from './config/types.ts';
import { StoreUnusable } from './sqlite/database.ts';
import { findSqliteStore } from './sqlite/store.ts';
import type { OpenedStore, StoreParts, StorePlace } from './store-place.ts';

/**
 * Opens the store of a place to be worked on, by a server: from then on none is imported into it. Throws what `open`
 * does, and `StoreUnusable` in the midst of an import.
 */
export const openForServer = async (place: StorePlace): Promise<OpenedStore> => {
  const store = await place.open();
  if (!(await store.holdToStart())) throw new StoreUnusable('an import into it is under way');
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

/** The store that the settings choose. Throws `ConfigError`, `StoreUnusable`. */
export const findStore = async (config: Config, parts: StoreParts): Promise<StorePlace> => {
  if (config.mongodbUrl === null) return findSqliteStore(config, parts);
  // Its driver takes longer to load than the embedded store does to open.
  const { findMongoStore } = await import('./mongodb/store.ts');
  return findMongoStore(config.mongodbUrl, config.redisUrl, parts);
};
