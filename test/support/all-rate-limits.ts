import { settingNames } from '../../adapters/config.ts';

/** Every rate limit setting with the same number. */
export const allRateLimits = (requests: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    settingNames.filter((name) => name.startsWith('RATE_LIMIT_')).map((name) => [name, requests]),
  );
