import { type Bucket, type Budget, CoreError, type Limiter } from '../../core/index.ts';
import { bucketBy, type RateLimitName, type RateLimits } from '../../core/rate-limits.ts';
import type { Context } from './context.ts';

/** Requests per minute by bucket, for the buckets that the routes of an app name. */
export type Limits = Partial<RateLimits>;

/** A one-way digest, so that the limiter's store holds no addresses. */
export type HashKey = (key: string) => string;

/** Whether a counter is nearer its limit than `nearest`: it refuses, or has fewer requests left, or as many for a longer time. */
const isNearerLimit = (budget: Budget, nearest: Budget | undefined): boolean => {
  if (nearest === undefined) return true;
  if (budget.allowed !== nearest.allowed) return !budget.allowed;
  if (budget.remaining !== nearest.remaining) return budget.remaining < nearest.remaining;
  return budget.reset > nearest.reset;
};

const showBudget = (ctx: Context, budget: Budget) => {
  if (!isNearerLimit(budget, ctx.state.budget)) return;
  ctx.state.budget = budget;
  ctx.res.setHeader('RateLimit-Limit', budget.limit);
  ctx.res.setHeader('RateLimit-Remaining', budget.remaining);
  ctx.res.setHeader('RateLimit-Reset', budget.reset);
};

/**
 * Counts the requests of one bucket by client, by signed-in user, and by the account whose email a request names, under three
 * names in the limiter, which all processes share. Beyond the limit throws `throttled` (`rate_limited`). The answer's headers
 * show the counter with the fewest requests left.
 */
export const makeRateLimit = (limiter: Limiter, hashKey: HashKey, name: RateLimitName, limit: number) => {
  // Made once: each request counts in one or two of them.
  const client = bucketBy('client', name, limit);
  const user = bucketBy('user', name, limit);
  const account = bucketBy('account', name, limit);

  const count = async (ctx: Context, bucket: Bucket, key: string): Promise<void> => {
    const budget = await limiter.take(bucket, key);
    showBudget(ctx, budget);
    if (budget.allowed) return;
    throw new CoreError('throttled', 'rate_limited', 'Too many requests; try again later.', {
      retryAfter: budget.reset,
    });
  };

  return {
    byClient: (ctx: Context) => count(ctx, client, hashKey(ctx.state.client.key)),
    byUser: (ctx: Context, userId: string) => count(ctx, user, userId),
    /** `key` is a digest by the core, of an email that need not have an account. The core counts resent codes under it, too. */
    byAccount: (ctx: Context, key: string) => count(ctx, account, key),
  };
};

export type RateLimit = ReturnType<typeof makeRateLimit>;
