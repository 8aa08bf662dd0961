/** The settings of one Redis for cache and limiter, or of none if `redisUrl` is null. */
export const redisSettings = (redisUrl: string | null, dataDir: string) => ({
  redisUrl,
  dataDir,
  redisCluster: false,
  redisCacheUrl: null,
  redisLimiterUrl: null,
});
