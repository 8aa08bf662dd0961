import { join } from 'node:path';
import type { Announcer, Clock, Log } from '../core/index.ts';
import type { Config } from './config/config-types.ts';
import { makeFileObjects } from './files/object-store.ts';
import { makeMemoryObjects } from './memory/object-store.ts';
import { openRedisAnnouncer } from './redis/announcer.ts';
import { redisAddress } from './redis/redis-url.ts';
import { openObjectsIn } from './s3/open-bucket.ts';
import { makeCachedSessions, silentAnnouncer } from './session-cache/session-cache.ts';
import { sqlPorts } from './sql/ports.ts';
import { openDatabaseInMemory } from './sqlite/database.ts';
import { findSqliteStore } from './sqlite/open-store.ts';
import {
  type OpenedStore,
  type StoreParts,
  type StorePorts,
  StoreUnusable,
  type UnopenedStore,
} from './store.ts';

/**
 * Opens a store for a server. From then on no import into it can start. Throws what `open` throws, and `StoreUnusable`
 * while an import is under way or after an interrupted one.
 */
export const openForServer = async (unopened: UnopenedStore): Promise<OpenedStore> => {
  const store = await unopened.open();
  if (!(await store.takeStartLease())) throw new StoreUnusable('an import into it is under way');
  return refuseUnfinishedImport(store);
};

/** Opens a store for a command. Throws what `open` throws, and `StoreUnusable` after an interrupted import. */
export const openForWork = async (unopened: UnopenedStore): Promise<OpenedStore> =>
  refuseUnfinishedImport(await unopened.open());

const refuseUnfinishedImport = async (store: OpenedStore): Promise<OpenedStore> => {
  if ((await store.transfer().unfinishedImport()) !== undefined) {
    throw new StoreUnusable('it has an unfinished import: run store import with its file again');
  }
  return store;
};

/** The embedded store in `DATA_DIR`, its objects in files unless `parts` has others. Throws `StoreUnusable` during a restore. */
export const findEmbeddedStore = (dataDir: string, parts: StoreParts): UnopenedStore => {
  const inFiles = () => makeFileObjects({ folder: join(dataDir, 'objects'), log: parts.log });
  return findSqliteStore(dataDir, { ...parts, objects: parts.objects ?? inFiles() });
};

/** A store in memory: the embedded store without a file, with its objects in memory too. */
export const openMemoryStore = (clock: Clock): { readonly ports: StorePorts; close(): Promise<void> } => {
  const database = openDatabaseInMemory();
  return {
    ports: sqlPorts(database, { clock, objects: makeMemoryObjects(clock) }),
    close: database.close,
  };
};

/** The kind of the chosen store, for metrics and operators. */
export const storeKind = ({ postgresUrl, mongodbUrl }: Config): 'sqlite' | 'postgresql' | 'mongodb' => {
  if (postgresUrl !== null) return 'postgresql';
  return mongodbUrl === null ? 'sqlite' : 'mongodb';
};

/** The store that the settings choose. Throws `ConfigError`, `StoreUnusable`. */
export const findStore = async (config: Config, parts: StoreParts): Promise<UnopenedStore> => {
  if (config.objects === null) return findDatabaseStore(config, parts);
  const objects = await openObjectsIn(config.objects, parts);
  try {
    const unopened = await findDatabaseStore(config, { ...parts, objects });
    return {
      ...unopened,
      open: async () => ({ ...(await unopened.open()), areObjectsUp: objects.isUp }),
      close: async () => {
        objects.close();
        await unopened.close();
      },
    };
  } catch (error) {
    objects.close();
    throw error;
  }
};

const findDatabaseStore = async (config: Config, parts: StoreParts): Promise<UnopenedStore> => {
  const { dataDir, mongodbUrl, postgresUrl, redisUrl, redisCluster } = config;
  const redis = redisUrl === null ? undefined : redisAddress(redisUrl, 'REDIS_URL', redisCluster);
  const openRedis = redis === undefined ? undefined : () => openOverRedis(redis, parts.log);
  // Imported only when chosen: loading a driver takes longer than opening the embedded store.
  if (postgresUrl !== null) {
    const { findPostgresStore } = await import('./postgresql/open-store.ts');
    return withSessionCache(await findPostgresStore(postgresUrl, parts), openRedis);
  }
  if (mongodbUrl !== null) {
    const { findMongoStore } = await import('./mongodb/open-store.ts');
    return withSessionCache(await findMongoStore(mongodbUrl, parts), openRedis);
  }
  return findEmbeddedStore(dataDir, parts);
};

const openOverRedis = async (url: string, log: Log): Promise<Announcer> => {
  const announcer = openRedisAnnouncer({ url, log });
  // Resolves even if the first attempt to connect failed: a start does not need Redis.
  await announcer.tried;
  return announcer;
};

/**
 * Caches sessions with their accounts in this process, for a store behind a network. Over the announcer (of Redis, else of
 * the store, if it has one), processes tell each other of changes.
 */
const withSessionCache = (
  unopened: UnopenedStore,
  openRedis: (() => Promise<Announcer>) | undefined,
): UnopenedStore => {
  const openAnnouncer = openRedis ?? unopened.openAnnouncer ?? (async () => silentAnnouncer);
  let announcer: Announcer = silentAnnouncer;
  return {
    ...unopened,
    open: async () => {
      const store = await unopened.open();
      announcer = await openAnnouncer();
      const { ports } = store;
      // The caching ports replace those of the store with the same names.
      return { ...store, ports: { ...ports, ...makeCachedSessions({ ...ports, announcer }) } };
    },
    close: async () => {
      await announcer.close();
      await unopened.close();
    },
  };
};
