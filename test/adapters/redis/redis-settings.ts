/** The settings of one Redis for cache and limiter, none where it is null. */
export const redisSettings = (redisUrl: string | null, dataDir: string) => ({
  redisUrl,
  dataDir,
  redisCluster: false,
  redisCacheUrl: null,
  redisLimiterUrl: null,
});
