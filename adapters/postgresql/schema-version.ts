import type { Queries } from '../sql/database.ts';
import { LOCK_TIMEOUT, SCHEMA } from './engine/connections.ts';
import type { PostgresDatabase } from './engine/database.ts';
import { migrations } from './migrations.ts';

/** The oldest version of the server that is supported, as its `server_version_num`. */
const OLDEST_SERVER = 150_000;

/** The version of the schema that this program works with. */
export const NEWEST = migrations.length;

// The key of an advisory lock: an arbitrary number that other programs in the database are unlikely to use.
export const UPGRADE_LOCK = 7_483_920_115;
// Asks the catalogue, which everybody may read: `to_regclass` fails without rights on the schema.
const MAY_READ = `
  SELECT has_schema_privilege(space.oid, 'USAGE') AND has_table_privilege(class.oid, 'SELECT') AS may_read
  FROM pg_namespace AS space JOIN pg_class AS class ON class.relnamespace = space.oid
  WHERE space.nspname = '${SCHEMA}' AND class.relname = 'schema_version'`;
const READ_VERSION = `SELECT version FROM ${SCHEMA}.schema_version`;

/** The version of the schema; 0 for a database without one, undefined for a user who may not read it. */
export const schemaVersionOf = async (read: Queries): Promise<number | undefined> => {
  const row = await read.get(MAY_READ, []);
  if (row === undefined) return 0;
  // A row has a boolean as 1 or 0.
  if (row.may_read !== 1) return undefined;
  return Number((await read.get(READ_VERSION, []))?.version ?? 0);
};

const READ_SERVER = `
  SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version,
    current_setting('server_encoding') AS encoding`;

/** Explains why this program cannot work with the server or the database; undefined if it can. */
export const whyUnsupported = async (read: Queries): Promise<string | undefined> => {
  const { number, version, encoding } = (await read.get(READ_SERVER, [])) ?? {};
  if (Number(number) < OLDEST_SERVER) return `the server is PostgreSQL ${version}, and 15 or newer is needed`;
  return encoding === 'UTF8' ? undefined : `the database has the encoding ${encoding}, and UTF8 is needed`;
};

const stepTo = (version: number, migration: string): string => `
  DO $upgrade$ BEGIN
    IF (SELECT version FROM ${SCHEMA}.schema_version) < ${version} THEN
      EXECUTE $migration$ ${migration} $migration$;
      UPDATE ${SCHEMA}.schema_version SET version = ${version};
    END IF;
  END $upgrade$`;

/** Texts that create or upgrade the schema, step by step, if run in one transaction. */
export const schemaTexts: readonly string[] = [
  `
  DO $create$ BEGIN
    -- CREATE SCHEMA IF NOT EXISTS needs the right to create a schema even if it exists.
    IF to_regnamespace('${SCHEMA}') IS NULL THEN CREATE SCHEMA ${SCHEMA}; END IF;
  END $create$;
  CREATE TABLE IF NOT EXISTS ${SCHEMA}.schema_version (
    one bigint PRIMARY KEY CHECK (one = 1),
    version bigint NOT NULL
  );
  INSERT INTO ${SCHEMA}.schema_version VALUES (1, 0) ON CONFLICT DO NOTHING;
  SET search_path TO ${SCHEMA}`,
  ...migrations.map((migration, index) => stepTo(index + 1, migration)),
];

/** Creates or upgrades the schema under a lock: other processes wait until it is done. Throws the driver's error. */
export const upgradeSchema = ({ runScript }: PostgresDatabase): Promise<void> =>
  runScript([
    'SET LOCAL statement_timeout TO 0; SET LOCAL lock_timeout TO 0',
    `SELECT pg_advisory_xact_lock(${UPGRADE_LOCK})`,
    // A change of a table that waits for a long reader makes all later readers wait, too, so the upgrade gives up soon.
    `SET LOCAL lock_timeout TO '${LOCK_TIMEOUT}'`,
    ...schemaTexts,
  ]);
