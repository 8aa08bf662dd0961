import { settingNames } from '../../adapters/config.ts';

/** All settings of rate limits, each with this number. */
export const allRateLimits = (requests: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    settingNames.filter((name) => name.startsWith('RATE_LIMIT_')).map((name) => [name, requests]),
  );
