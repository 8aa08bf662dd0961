import { REDIS_DATABASES, SHARED } from './composition.ts';
import { startMongo } from './mongo-server.ts';
import { startRedis } from './redis-server.ts';

/** Starts a MongoDB and a Redis for all suites of a run, and names them in the environment of its files. */
export const startSharedServers = async (env: NodeJS.ProcessEnv): Promise<{ end(): Promise<void> }> => {
  const [mongodb, redis] = await Promise.all([
    startMongo(),
    startRedis('--databases', String(REDIS_DATABASES)),
  ]);
  env[SHARED.mongodb] = mongodb.url('DATABASE');
  env[SHARED.redis] = redis.url;
  process.once('exit', () => {
    mongodb.signal('SIGKILL');
    redis.signal('SIGKILL');
  });
  return {
    end: async () => {
      await Promise.all([mongodb.end(), redis.end()]);
    },
  };
};
