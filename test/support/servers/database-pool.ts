import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SCHEMA } from '../../../adapters/postgresql/engine/connections.ts';
import { NEWEST } from '../../../adapters/postgresql/schema-version.ts';
import { EMPTY_TABLES } from '../../adapters/sql/empty-tables.ts';
import { CLAIMED, READY } from '../claim-database.ts';
import { connectTo, type PostgresqlServer } from './postgresql-server.ts';

/** As many databases as the files that run at once may claim at the same time. */
const READY_COUNT = 12;

/** The time between two checks of the claims. */
const INTERVAL_MS = 50;

/**
 * Deletes the rows of a used store and its schema version: a start then finds no store, and makes its keys. A trigger
 * restores the version once the start creates its table, so that no table is created anew.
 */
const EMPTY_STORE = `
  SET search_path TO ${SCHEMA};
  ${EMPTY_TABLES};
  DROP TABLE schema_version;
  CREATE OR REPLACE FUNCTION public.give_version() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
    IF to_regclass('${SCHEMA}.schema_version') IS NOT NULL THEN
      INSERT INTO ${SCHEMA}.schema_version VALUES (1, ${NEWEST}) ON CONFLICT DO NOTHING;
    END IF;
  END $$;
  DROP EVENT TRIGGER IF EXISTS give_version;
  CREATE EVENT TRIGGER give_version ON ddl_command_end WHEN TAG IN ('CREATE TABLE')
    EXECUTE FUNCTION public.give_version()`;

export interface DatabasePool {
  /** The folder in which the tests claim databases. */
  readonly folder: string;
  end(): Promise<void>;
}

/**
 * Keeps empty databases ready for the tests of a run. Databases of removed folders are emptied and reused, because creating
 * one with its schema takes 0.3 s of processor time. `temporary` is the parent of the tests' folders.
 */
export const startDatabasePool = async (
  server: PostgresqlServer,
  temporary: string,
): Promise<DatabasePool> => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-databases-'));
  const [ready, claimed] = [join(folder, READY), join(folder, CLAIMED)];
  mkdirSync(ready);
  mkdirSync(claimed);
  const client = await connectTo(server.url('postgres'));
  let nameCount = 0;
  let isOpen = true;

  const nextName = () => {
    nameCount += 1;
    return `test_${nameCount}`;
  };
  /** The rename is atomic: a test may claim the file at any moment. */
  const offer = (name: string) => {
    writeFileSync(join(folder, name), name);
    renameSync(join(folder, name), join(ready, name));
  };
  const fill = async () => {
    while (isOpen && readdirSync(ready).length < READY_COUNT) {
      const name = nextName();
      await client.query(`CREATE DATABASE ${name}`);
      offer(name);
    }
  };
  /** The folder of a claim may not exist yet; the folder of its test or suite does. */
  const isRemoved = (path: string): boolean => {
    const [first = '..'] = relative(temporary, path).split(sep);
    return first !== '..' && !existsSync(join(temporary, first));
  };
  /** Empties a database and renames it, so that a process that outlives its folder cannot connect again. */
  const reuse = async (database: string) => {
    const name = nextName();
    // Such a process may reconnect at once, and a database with connections cannot be renamed.
    await client.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`);
    await client.query(
      `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${database}'`,
    );
    await client.query(`ALTER DATABASE ${database} RENAME TO ${name}`);
    await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    const connection = await connectTo(server.url(name));
    const { rows } = await connection.query(`SELECT to_regclass('${SCHEMA}.schema_version') AS version`);
    if (rows[0].version !== null) await connection.query(EMPTY_STORE);
    await connection.end();
    offer(name);
  };
  const reuseAbandoned = async () => {
    for (const claim of readdirSync(claimed)) {
      if (!isRemoved(decodeURIComponent(claim))) continue;
      await reuse(readFileSync(join(claimed, claim), 'utf8'));
      rmSync(join(claimed, claim));
    }
  };
  const work = async () => {
    while (isOpen) {
      await reuseAbandoned();
      await fill();
      await pause(INTERVAL_MS);
    }
  };
  // A failure is an unhandled rejection, which ends the run: tests would wait for databases.
  const working = work();
  return {
    folder,
    end: async () => {
      isOpen = false;
      await working;
      await client.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
