import { ConfigError } from '../config/config-error.ts';
import { holdToStart } from '../moving/hold.ts';
import type { MigrationReport, StoreParts, StorePlace } from '../store-place.ts';
import { StoreUnusable } from '../store-place.ts';
import { type MongoDatabase, openMongo } from './engine/client.ts';
import { isRefused, whyNoConnection } from './engine/why-no-connection.ts';
import { bringUpToDate, layoutOf, NEWEST, tryToWrite, whatIsMissing } from './layout/installation.ts';
import { watchLayout } from './layout/layout-watch.ts';
import { noteOperators } from './layout/note-operators.ts';
import { makeMongoMovable } from './movable.ts';
import { indexes, mongoPorts } from './ports.ts';

/** Connects. An error names the setting. */
const connect = async (url: string, log?: StoreParts['log']): Promise<MongoDatabase> => {
  try {
    return await openMongo({ url, ...(log && { log }) });
  } catch (error) {
    const { word, isSetting } = whyNoConnection(error);
    if (isSetting) throw new ConfigError([`MONGODB_URL: ${word}`]);
    throw new StoreUnusable(`MONGODB_URL: ${word}`);
  }
};

/** Runs work that writes. If the database user may not write, the error names the setting. */
const asWriter = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!isRefused(error)) throw error;
    throw new ConfigError(['MONGODB_URL: the user may not write to the database, it needs readWrite on it']);
  }
};

const refuseNewer = (version: number): void => {
  if (version > NEWEST) {
    throw new StoreUnusable(
      `it was written by a newer version (schema ${version}, this program knows ${NEWEST})`,
    );
  }
};

/** The store on MongoDB. The first start makes the layout of an unused database. */
export const findMongoStore = async (url: string, parts: StoreParts): Promise<StorePlace> => {
  const database = await connect(url, parts.log);
  let watched: MongoDatabase | undefined;
  const version = await layoutOf(database).catch(async (error: unknown) => {
    // The caller does not have the place yet and cannot close it.
    await database.close();
    throw error;
  });
  return {
    isThere: version > 0,
    open: async () => {
      refuseNewer(version);
      await asWriter(() => (version === 0 ? bringUpToDate(database, indexes) : tryToWrite(database)));
      const missing = await whatIsMissing(database, indexes);
      if (missing !== undefined) {
        const why = `the database is not ready, ${missing}: run gatehouse store migrate`;
        throw parts.upgrades ? new ConfigError([`MONGODB_URL: ${why}`]) : new StoreUnusable(why);
      }
      const watching = watchLayout(database, indexes, parts);
      watched = watching;
      const ports = mongoPorts(watching, parts);
      return {
        ports,
        holdToStart: () => holdToStart(ports.leases),
        isUp: watching.isUp,
        areObjectsUp: () => true,
        movable: () => makeMongoMovable(watching, ports.objects),
      };
    },
    close: async () => {
      await watched?.close();
      await database.close();
    },
  };
};

/** Upgrades layout and indexes. Throws `ConfigError`, `StoreUnusable`. */
export const migrateMongoStore = async (url: string): Promise<MigrationReport> => {
  const database = await connect(url);
  try {
    const before = await layoutOf(database);
    refuseNewer(before);
    await asWriter(async () => {
      await bringUpToDate(database, indexes);
      await noteOperators(database);
    });
    return { before, now: await layoutOf(database) };
  } finally {
    await database.close();
  }
};
