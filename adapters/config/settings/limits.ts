import { type RateLimitBucket, type RateLimits, rateLimitBuckets } from '../../../core/rate-limits.ts';
import { type Setting, setting, type ValuesOf } from '../declare-setting.ts';
import { integer } from '../value-kinds.ts';

const buckets: readonly (readonly [string, RateLimitBucket])[] = Object.entries(rateLimitBuckets);

/**
 * A setting for each bucket with a number of its own, by the name of the bucket. A bucket whose `requests` names another
 * has no setting and takes the number of that bucket.
 */
export const limits: Readonly<Record<string, Setting<number>>> = Object.fromEntries(
  buckets.flatMap(([name, { requests }]) => {
    if (typeof requests === 'string') return [];
    const settingName = `RATE_LIMIT_${name.toUpperCase()}`;
    return [[name, setting(settingName, integer(1, 1_000_000_000), { default: `${requests}` })]];
  }),
);

export const rateLimitsOf = (values: ValuesOf<typeof limits>): RateLimits =>
  Object.fromEntries(
    buckets.map(([name, { requests }]) => [name, values[typeof requests === 'string' ? requests : name]]),
  ) as RateLimits;
