import { openPostgres, type PostgresDatabase } from '../../../adapters/postgresql/engine/database.ts';
import { makePostgresObjects } from '../../../adapters/postgresql/object-store.ts';
import { upgradeSchema } from '../../../adapters/postgresql/schema-version.ts';
import type { Database } from '../../../adapters/sql/database.ts';
import { sqlPorts } from '../../../adapters/sql/ports.ts';
import { makeSqlTransfer } from '../../../adapters/sql/transfer.ts';
import type { Clock } from '../../../core/ports.ts';
import {
  type PostgresqlOptions,
  type PostgresqlServer,
  startPostgresql,
} from '../../support/servers/postgresql-server.ts';
import { EMPTY_TABLES } from '../sql/empty-tables.ts';

/** Long enough for a test server on a busy machine. Other tests check how long a call may take. */
const PATIENCE_MS = 60_000;

const partsOf = (database: Database, clock: Clock) => {
  const objects = makePostgresObjects(database, clock);
  const ports = sqlPorts(database, { clock, objects });
  return { ports, movable: makeSqlTransfer(database, objects) };
};

/** The name of the database that a URL leads to. */
export const databaseIn = (url: string): string => new URL(url).pathname.slice(1);

/** A server for the tests of a file, started before the first and ended after the last of them. Call it in `describe`. */
export const postgresForTests = (options: PostgresqlOptions = {}) => {
  let server: PostgresqlServer | undefined;
  let count = 0;
  const free: PostgresDatabase[] = [];

  const runningServer = (): PostgresqlServer => {
    if (server === undefined) throw new Error('The server is not started yet.');
    return server;
  };
  before(async () => {
    server = await startPostgresql(options);
  });
  after(async () => {
    await Promise.all(free.splice(0).map((database) => database.close()));
    await server?.end();
  });

  /** The URL of a new database without a schema. */
  const createDatabase = async (): Promise<string> => {
    count += 1;
    const name = `gatehouse_${count}`;
    await runningServer().createDatabase(name);
    return runningServer().url(name);
  };

  const createStore = async (): Promise<PostgresDatabase> => {
    const database = openPostgres({ url: await createDatabase(), deadline: PATIENCE_MS });
    await upgradeSchema(database);
    return database;
  };

  /** Opens an empty store. Emptying a database is faster than creating one. `wrap` can record the statements. */
  const openStore = async (clock: Clock, wrap: (database: Database) => Database = (database) => database) => {
    const database = free.pop() ?? (await createStore());
    return {
      database,
      ...partsOf(wrap(database), clock),
      close: async () => {
        await database.runScript([EMPTY_TABLES]);
        free.push(database);
      },
    };
  };

  return { server: runningServer, createDatabase, openStore };
};
