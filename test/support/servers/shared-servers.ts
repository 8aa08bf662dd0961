import { REDIS_DATABASES, SHARED } from '../composition.ts';
import { startMongo } from './mongo-server.ts';
import { startRedis } from './redis-server.ts';

/**
 * Starts two MongoDB servers, each of which answers one call after the other, and a Redis, for all suites of a run, and
 * names them in the environment of its files.
 */
export const startSharedServers = async (env: NodeJS.ProcessEnv): Promise<{ end(): Promise<void> }> => {
  const [redis, mongo, otherMongo] = await Promise.all([
    startRedis('--databases', String(REDIS_DATABASES)),
    startMongo(),
    startMongo(),
  ]);
  env[SHARED.mongodb] = `${mongo.url('DATABASE')} ${otherMongo.url('DATABASE')}`;
  env[SHARED.redis] = redis.url;
  const all = [redis, mongo, otherMongo];
  process.once('exit', () => {
    for (const server of all) server.signal('SIGKILL');
  });
  return {
    end: async () => {
      await Promise.all(all.map((server) => server.end()));
    },
  };
};
