import { REDIS_DATABASES, SHARED } from '../composition.ts';
import { startDatabasePool } from './database-pool.ts';
import { startMongo } from './mongo-server.ts';
import { startPostgresql } from './postgresql-server.ts';
import { startRedis } from './redis-server.ts';

/** The store of a run of the HTTP suites. */
export type SharedStore = 'mongodb' | 'postgresql';

/** Servers of a run, and the environment variables that name them. */
interface Shared {
  readonly env: Readonly<Record<string, string>>;
  signal(signal: NodeJS.Signals): void;
  end(): Promise<void>;
}

/** Two servers, because each answers one call after the other. */
const shareMongo = async (): Promise<Shared> => {
  const servers = await Promise.all([startMongo(), startMongo()]);
  return {
    env: { [SHARED.mongodb]: servers.map((server) => server.url('DATABASE')).join(' ') },
    signal: (signal) => {
      for (const server of servers) server.signal(signal);
    },
    end: async () => {
      await Promise.all(servers.map((server) => server.end()));
    },
  };
};

/** One server with a database for each folder that a test works on. */
const sharePostgresql = async (temporary: string): Promise<Shared> => {
  // Six files run at once, and closed services keep their connections for a moment.
  const server = await startPostgresql({ settings: { max_connections: '500' } });
  const pool = await startDatabasePool(server, temporary);
  return {
    env: { [SHARED.postgresql]: server.url('DATABASE'), [SHARED.databases]: pool.folder },
    signal: server.signal,
    end: async () => {
      await pool.end();
      await server.end();
    },
  };
};

const shareRedis = async (): Promise<Shared> => {
  const server = await startRedis('--databases', String(REDIS_DATABASES));
  return { env: { [SHARED.redis]: server.url }, signal: server.signal, end: server.end };
};

/**
 * Starts servers of this store and a Redis for all suites of a run, and adds their variables to the environment of its files.
 * `temporary` is the parent of the files' folders.
 */
export const startSharedServers = async (
  store: SharedStore,
  env: NodeJS.ProcessEnv,
  temporary: string,
): Promise<{ end(): Promise<void> }> => {
  const all = await Promise.all([
    store === 'mongodb' ? shareMongo() : sharePostgresql(temporary),
    shareRedis(),
  ]);
  for (const shared of all) Object.assign(env, shared.env);
  process.once('exit', () => {
    for (const shared of all) shared.signal('SIGKILL');
  });
  return {
    end: async () => {
      await Promise.all(all.map((shared) => shared.end()));
    },
  };
};
