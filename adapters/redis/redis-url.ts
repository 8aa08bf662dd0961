import { ConfigError } from '../config/config-error.ts';

/** Throws `ConfigError` unless the address ends with its host and port, or with the number of a database. */
export const requireRedisUrl = (url: string): void => {
  if (/^\/?\d*$/.test(new URL(url).pathname)) return;
  throw new ConfigError(['REDIS_URL: must end with its host and port, or with the number of a database']);
};
