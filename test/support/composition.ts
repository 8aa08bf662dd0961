import { createHash } from 'node:crypto';
import { claimDatabase } from './claim-database.ts';

/** The number of databases of the shared Redis: so many that two folders hardly ever share one. */
export const REDIS_DATABASES = 100_000;

/** The environment variables that name the shared servers of a run on other stores. */
export const SHARED = {
  mongodb: 'GATEHOUSE_TEST_SHARED_MONGODB',
  postgresql: 'GATEHOUSE_TEST_SHARED_POSTGRESQL',
  /** The folder of the pool of its databases. */
  databases: 'GATEHOUSE_TEST_SHARED_DATABASES',
  redis: 'GATEHOUSE_TEST_SHARED_REDIS',
} as const;

/** Picks one of several names, which are separated by spaces. */
const pick = (names: string, index: number): string => {
  const all = names.split(' ');
  return all[index % all.length] ?? names;
};

/**
 * The settings of the store that this run tests, in addition to those of a test: none for the embedded store. All services
 * and commands on one folder share a database, as they would share the embedded store.
 */
export const compositionSettings = (folder: string): Readonly<Record<string, string>> => {
  const { [SHARED.redis]: redis } = process.env;
  if (redis === undefined) return {};
  // Server processes are started in the folder above `DATA_DIR`.
  const path = folder.replace(/\/data$/, '');
  const digest = createHash('sha256').update(path).digest();
  return {
    ...storeSettings(path, digest),
    REDIS_URL: `${redis}/${digest.readUInt32BE(8) % REDIS_DATABASES}`,
    // The default on the embedded store.
    SELF_ENTITLEMENT: 'trust',
  };
};

const storeSettings = (path: string, digest: Buffer): Readonly<Record<string, string>> => {
  const {
    [SHARED.mongodb]: mongodb,
    [SHARED.postgresql]: postgresql,
    [SHARED.databases]: databases,
  } = process.env;
  if (mongodb !== undefined)
    return {
      MONGODB_URL: pick(mongodb, digest[12] ?? 0).replace(
        'DATABASE',
        `suite-${digest.toString('hex', 0, 8)}`,
      ),
    };
  if (postgresql === undefined || databases === undefined) return {};
  return { POSTGRES_URL: postgresql.replace('DATABASE', claimDatabase(databases, path)) };
};
