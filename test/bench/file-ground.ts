import { spawnSync } from 'node:child_process';
import { type RedisServer, startRedis } from '../support/servers/redis-server.ts';
import { inFolder } from './folder.ts';
import { runProgram } from './program.ts';
import type { Client } from './request.ts';
import { type Server, startServer } from './server.ts';

/** A user with this many records. */
export interface SeedUser {
  readonly user: string;
  readonly count: number;
}

export interface SeedJob {
  readonly folder: string;
  readonly users: readonly SeedUser[];
}

/** At most a thousand ids of each user's records, evenly spread, in the order of `users`. */
export interface SeedAnswer {
  readonly ids: readonly (readonly string[])[];
}

/** Bytes of the cache entry of each seeded record: 736,000 entries with their keys are 450 MB. */
export const ENTRY_BYTES = 600;
/** Bytes of an entry's key as the cache counts them. */
export const KEY_BYTES = 41;

/** Imports records into the folder's store, in a process of its own. */
export const seed = (job: SeedJob): Promise<SeedAnswer> => runProgram<SeedJob, SeedAnswer>('seed', job);

/** Starts the metadata service on a folder, and ends it after the work. */
export const withMetadata = async <T>(
  folder: string,
  settings: Readonly<Record<string, string>>,
  work: (server: Server) => Promise<T>,
): Promise<T> => {
  const server = await startServer(folder, 'metadata', settings);
  try {
    return await work(server);
  } finally {
    await server.close();
  }
};

/** Starts a metadata service on a store with this many records of one user. */
export const withRecords = <T>(
  count: number,
  settings: Readonly<Record<string, string>>,
  work: (ground: {
    readonly folder: string;
    readonly server: Server;
    /** Ids of at most a thousand of the records. */
    readonly ids: readonly string[];
  }) => Promise<T>,
): Promise<T> =>
  inFolder(async (folder) => {
    const { ids } = await seed({ folder, users: [{ user: USER, count }] });
    return withMetadata(folder, settings, (server) => work({ folder, server, ids: ids[0] ?? [] }));
  });

/** Starts a Redis without persistence; throws if Redis is not installed. */
export const withRedis = async <T>(work: (redis: RedisServer) => Promise<T>): Promise<T> => {
  if (spawnSync('redis-server', ['--version']).error !== undefined)
    throw new Error('redis-server is not on the PATH. Debian: apt-get install redis-server');
  const redis = await startRedis();
  const kill = () => redis.signal('SIGKILL');
  process.once('exit', kill);
  try {
    return await work(redis);
  } finally {
    await redis.end();
    process.off('exit', kill);
  }
};

export const USER = 'uploader';

export const readRecord = (id: string): Client => ({ method: 'GET', path: `/api/v1/meta/${id}` });

export const listRecords = (user: string): Client => ({ method: 'GET', path: `/api/v1/meta?userId=${user}` });

export const post = (path: string, body: unknown): Client => ({
  method: 'POST',
  path,
  body: JSON.stringify(body),
});
