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
import { EMPTY } from '../../adapters/sql/empty-tables.ts';
import { CLAIMED, READY } from '../claim-database.ts';
import { connectTo, type PostgresqlServer } from './postgresql-server.ts';

/** As many as the files that run at once may claim in one moment. */
const READY_COUNT = 12;

/** Milliseconds between two looks at the claims. */
const INTERVAL = 50;

/**
 * Takes the rows of a used store away and the version of its schema, without which a start finds no store, and makes its
 * keys. The version is there again once that start asks for it, so that no table is made anew.
 */
const MAKE_NEW = `
  SET search_path TO ${SCHEMA};
  ${EMPTY};
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
  /** Where the tests claim databases. */
  readonly folder: string;
  end(): Promise<void>;
}

/**
 * Keeps databases without rows ready for the tests of a run. Those of folders that were removed are emptied and serve
 * again: to make one and its schema takes 0.3 s of processor time. `temporary` is where the tests make their folders.
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
  let made = 0;
  let isOpen = true;

  const nextName = () => {
    made += 1;
    return `test_${made}`;
  };
  /** Whole at once: a test may claim it in any moment. */
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
  /** The folder of a claim may not be there yet; what it is made in, for one test or suite, is. */
  const isRemoved = (path: string): boolean => {
    const [first = '..'] = relative(temporary, path).split(sep);
    return first !== '..' && !existsSync(join(temporary, first));
  };
  /** Under a new name: a process that outlives its folder does not find it again. */
  const reuse = async (database: string) => {
    const name = nextName();
    // Such a process may connect again at once, and a database that somebody uses keeps its name.
    await client.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`);
    await client.query(
      `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${database}'`,
    );
    await client.query(`ALTER DATABASE ${database} RENAME TO ${name}`);
    await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    const emptied = await connectTo(server.url(name));
    const { rows } = await emptied.query(`SELECT to_regclass('${SCHEMA}.schema_version') AS version`);
    if (rows[0].version !== null) await emptied.query(MAKE_NEW);
    await emptied.end();
    offer(name);
  };
  const takeBack = async () => {
    for (const claim of readdirSync(claimed)) {
      if (!isRemoved(decodeURIComponent(claim))) continue;
      await reuse(readFileSync(join(claimed, claim), 'utf8'));
      rmSync(join(claimed, claim));
    }
  };
  const work = async () => {
    while (isOpen) {
      await takeBack();
      await fill();
      await pause(INTERVAL);
    }
  };
  // A failure ends the run: tests would wait for databases.
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
