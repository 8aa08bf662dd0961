import { createHash } from 'node:crypto';

/** As many as `startSharedServers` tells Redis to have: so that two folders next to never share one. */
export const REDIS_DATABASES = 100_000;

/** The servers that a run of the suites on MongoDB and Redis shares, by the environment of its files. */
export const SHARED = {
  mongodb: 'GATEHOUSE_TEST_SHARED_MONGODB',
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
  const [mongodb, redis] = [process.env[SHARED.mongodb], process.env[SHARED.redis]];
  if (mongodb === undefined || redis === undefined) return {};
  // A process of its own is started above its `DATA_DIR`.
  const digest = createHash('sha256')
    .update(folder.replace(/\/data$/, ''))
    .digest();
  return {
    MONGODB_URL: ofThese(mongodb, digest[12] ?? 0).replace(
      'DATABASE',
      `suite-${digest.toString('hex', 0, 8)}`,
    ),
    REDIS_URL: `${redis}/${digest.readUInt32BE(8) % REDIS_DATABASES}`,
    // As the embedded store has it where nothing is set.
    SELF_ENTITLEMENT: 'trust',
  };
};
