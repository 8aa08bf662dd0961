import { ConfigError } from '../config/config-error.ts';
import { sqlPorts } from '../sql/ports.ts';
import { makeSqlTransfer } from '../sql/transfer.ts';
import {
  connectError,
  logUpgrade,
  type MigrationReport,
  refuseNewer,
  refuseOlder,
  type StoreParts,
  StoreUnusable,
  type UnopenedStore,
} from '../store.ts';
import { takeStartLease } from '../transfer/store-lease.ts';
import { openPostgresAnnouncer } from './announcer.ts';
import { endClient, SCHEMA } from './engine/connections.ts';
import { openPostgres, type PostgresDatabase } from './engine/database.ts';
import { failureWord, isRefused, whyNoConnection } from './engine/failures.ts';
import { makePostgresObjects } from './object-store.ts';
import { NEWEST, schemaVersionOf, upgradeSchema, whyUnsupported } from './schema-version.ts';

/** Connects. The error of a failure names the setting. */
const connect = async (url: string, log?: StoreParts['log']): Promise<PostgresDatabase> => {
  let database: PostgresDatabase | undefined;
  try {
    database = openPostgres({ url, log });
    // `openClient` fails with the driver's reason, a call of the database only with `unavailable`.
    await endClient(await database.openClient());
  } catch (error) {
    await database?.close();
    throw connectError('POSTGRES_URL', whyNoConnection(error));
  }
  return database;
};

/** The version of the schema, 0 if there is none. Throws `ConfigError` for a server, database or user that cannot be used. */
const readVersion = async ({ read }: PostgresDatabase): Promise<number> => {
  const unsupported = await whyUnsupported(read);
  if (unsupported !== undefined) throw new ConfigError([`POSTGRES_URL: ${unsupported}`]);
  const version = await schemaVersionOf(read);
  if (version === undefined)
    throw new ConfigError(['POSTGRES_URL: the user may not read the schema gatehouse']);
  return version;
};

/** Upgrades the schema. Throws `ConfigError` if the user may not do so, `StoreUnusable` for other failures. */
const upgrade = async (database: PostgresDatabase): Promise<void> => {
  try {
    await upgradeSchema(database);
  } catch (error) {
    if (!isRefused(error))
      throw new StoreUnusable(`POSTGRES_URL: the schema cannot be upgraded (${failureWord(error)})`);
    throw new ConfigError([
      'POSTGRES_URL: the user may not create or upgrade the schema gatehouse: run gatehouse store migrate as a user who may',
    ]);
  }
};

// Each right is checked alone: for a list of rights the function tells whether the user has any of them. Only the owner changes
// `schema_version`. A boolean is read as 1 or 0.
const MAY_WRITE = `
  SELECT bool_and(has_table_privilege(class.oid, held)) AS may_write
  FROM pg_class AS class, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS held
  WHERE class.relnamespace = '${SCHEMA}'::regnamespace AND class.relkind = 'r' AND class.relname <> 'schema_version'`;

/** Refuses a user who may not write to all tables. Nothing is changed. */
const probeWrite = async ({ read }: PostgresDatabase): Promise<void> => {
  if ((await read.get(MAY_WRITE, []))?.may_write === 1) return;
  throw new ConfigError(['POSTGRES_URL: the user may not write to the tables of the schema gatehouse']);
};

/** The store on PostgreSQL. The first start creates the schema in an unused database. */
export const findPostgresStore = async (url: string, parts: StoreParts): Promise<UnopenedStore> => {
  const database = await connect(url, parts.log);
  const version = await readVersion(database).catch(async (error: unknown) => {
    // The caller has no store yet that it could close.
    await database.close();
    throw error;
  });
  return {
    isThere: version > 0,
    open: async () => {
      refuseNewer(version, NEWEST);
      if (!parts.isServer) refuseOlder(version, NEWEST);
      if (version < NEWEST) await upgrade(database);
      await probeWrite(database);
      if (version > 0 && version < NEWEST) logUpgrade(parts.log, version, NEWEST);
      const objects = parts.objects ?? makePostgresObjects(database, parts.clock);
      const ports = sqlPorts(database, { ...parts, objects });
      return {
        ports,
        takeStartLease: () => takeStartLease(ports.leases),
        isUp: async () => {
          if (!(await database.isUp())) return false;
          // The server may be up without the schema (0), with that of an older backup, or without the user's rights (undefined).
          const currentVersion = await schemaVersionOf(database.read).catch(() => undefined);
          return currentVersion !== undefined && currentVersion >= NEWEST;
        },
        // `isUp` covers the objects in this database. If they are in a bucket, `findStore` replaces this method.
        areObjectsUp: () => true,
        transfer: () => makeSqlTransfer(database.bulk, objects),
      };
    },
    openAnnouncer: () => openPostgresAnnouncer(database, parts.log),
    close: database.close,
  };
};

/** Upgrades the schema. Throws `ConfigError`, `StoreUnusable`. */
export const migratePostgresStore = async (url: string): Promise<MigrationReport> => {
  const database = await connect(url);
  try {
    const before = await readVersion(database);
    refuseNewer(before, NEWEST);
    if (before < NEWEST) await upgrade(database);
    return { before, now: await readVersion(database) };
  } finally {
    await database.close();
  }
};
