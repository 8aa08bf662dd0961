import { ConfigError } from '../config/config-error.ts';
import {
  connectError,
  type MigrationReport,
  refuseNewer,
  type StoreParts,
  StoreUnusable,
  type UnopenedStore,
} from '../store.ts';
import { takeStartLease } from '../transfer/store-lease.ts';
import { indexes } from './collections.ts';
import { type MongoDatabase, openMongo } from './engine/client.ts';
import { whyNoConnection } from './engine/failures.ts';
import {
  describeMissing,
  layoutOf,
  NEWEST,
  noteOperators,
  probeWrite,
  upgradeLayout,
  watchLayout,
} from './layout-version.ts';
import { mongoPorts } from './ports.ts';
import { makeMongoTransfer } from './transfer.ts';

/** Connects. An error names the setting. */
const connect = async (url: string, log?: StoreParts['log']): Promise<MongoDatabase> => {
  try {
    return await openMongo({ url, ...(log && { log }) });
  } catch (error) {
    throw connectError('MONGODB_URL', whyNoConnection(error));
  }
};

/** The store on MongoDB. `open` creates the layout of an unused database. */
export const findMongoStore = async (url: string, parts: StoreParts): Promise<UnopenedStore> => {
  const database = await connect(url, parts.log);
  let opened: MongoDatabase | undefined;
  const version = await layoutOf(database).catch(async (error: unknown) => {
    // The caller has no store yet that it could close.
    await database.close();
    throw error;
  });
  return {
    isThere: version > 0,
    open: async () => {
      refuseNewer(version, NEWEST);
      await (version === 0 ? upgradeLayout(database, indexes) : probeWrite(database));
      const missing = await describeMissing(database, indexes);
      if (missing !== undefined) {
        const reason = `the database is not ready, ${missing}: run gatehouse store migrate`;
        // Only `store migrate` helps. A server exits with the code of a wrong setting, so that no supervisor restarts it again and
        // again; a command reports an unusable store, as for every older store.
        throw parts.isServer ? new ConfigError([`MONGODB_URL: ${reason}`]) : new StoreUnusable(reason);
      }
      const watched = watchLayout(database, indexes, parts);
      opened = watched;
      const ports = mongoPorts(watched, parts);
      return {
        ports,
        takeStartLease: () => takeStartLease(ports.leases),
        isUp: watched.isUp,
        // `isUp` covers the objects in this database. If they are in a bucket, `findStore` replaces this method.
        areObjectsUp: () => true,
        transfer: () => makeMongoTransfer(watched, ports.objects),
      };
    },
    close: async () => {
      // This ends only the checks of the layout, which `open` began.
      await opened?.close();
      await database.close();
    },
  };
};

/** Upgrades layout and indexes. Throws `ConfigError`, `StoreUnusable`. */
export const migrateMongoStore = async (url: string): Promise<MigrationReport> => {
  const database = await connect(url);
  try {
    const before = await layoutOf(database);
    refuseNewer(before, NEWEST);
    await upgradeLayout(database, indexes);
    await noteOperators(database);
    return { before, now: await layoutOf(database) };
  } finally {
    await database.close();
  }
};
