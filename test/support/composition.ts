import { createHash } from 'node:crypto';
import { claimDatabase } from './claim-database.ts';

/** As many as `startSharedServers` tells Redis to have: so that two folders next to never share one. */
export const REDIS_DATABASES = 100_000;

/** The servers that a run of the suites on other stores shares, by the environment of its files. */
export const SHARED = {
  mongodb: 'GATEHOUSE_TEST_SHARED_MONGODB',
  postgresql: 'GATEHOUSE_TEST_SHARED_POSTGRESQL',
  /** The folder of the pool of databases on it. */
  databases: 'GATEHOUSE_TEST_SHARED_DATABASES',
  redis: 'GATEHOUSE_TEST_SHARED_REDIS',
} as const;

/** One of several, separated by spaces. */
const ofThese = (names: string, place: number): string => {
  const all = names.split(' ');
  return all[place % all.length] ?? names;
};

/**
 * The settings of the composition that this run is for, beside those of a test: none on the embedded store. Whatever
 * works on one folder shares a database, as it would share the embedded store.
 */
export const compositionSettings = (folder: string): Readonly<Record<string, string>> => {
  const { [SHARED.redis]: redis } = process.env;
  if (redis === undefined) return {};
  // A process of its own is started above its `DATA_DIR`.
  const place = folder.replace(/\/data$/, '');
  const digest = createHash('sha256').update(place).digest();
  return {
    ...storeSettings(place, digest),
    REDIS_URL: `${redis}/${digest.readUInt32BE(8) % REDIS_DATABASES}`,
    // As the embedded store has it where nothing is set.
    SELF_ENTITLEMENT: 'trust',
  };
};

const storeSettings = (place: string, digest: Buffer): Readonly<Record<string, string>> => {
  const {
    [SHARED.mongodb]: mongodb,
    [SHARED.postgresql]: postgresql,
    [SHARED.databases]: databases,
  } = process.env;
  if (mongodb !== undefined)
    return {
      MONGODB_URL: ofThese(mongodb, digest[12] ?? 0).replace(
        'DATABASE',
        `suite-${digest.toString('hex', 0, 8)}`,
      ),
    };
  if (postgresql === undefined || databases === undefined) return {};
  return { POSTGRES_URL: postgresql.replace('DATABASE', claimDatabase(databases, place)) };
};
