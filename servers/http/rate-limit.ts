import { type Bucket, type Budget, CoreError, type Limiter } from '../../core/index.ts';
import type { RateLimits } from '../../core/rate-limits.ts';
import type { Context } from './context.ts';

/** Every allowance is counted over a minute from the first request of a key. */
const WINDOW_SECONDS = 60;

/** Requests a minute by bucket; those alone that the routes of an app name. */
export type Limits = Partial<RateLimits>;

/** One-way, so that no address stands in the limiter's store. */
export type HashKey = (key: string) => string;

/** A refused one is nearer its end than any other. */
const nearer = (one: Budget, other: Budget | undefined): boolean => {
  if (other === undefined || one.allowed !== other.allowed) return other === undefined || !one.allowed;
  return one.remaining === other.remaining ? one.reset > other.reset : one.remaining < other.remaining;
};

const show = (ctx: Context, budget: Budget) => {
  if (!nearer(budget, ctx.state.budget)) return;
  ctx.state.budget = budget;
  ctx.res.setHeader('RateLimit-Limit', budget.limit);
  ctx.res.setHeader('RateLimit-Remaining', budget.remaining);
  ctx.res.setHeader('RateLimit-Reset', budget.reset);
};

/**
 * Makes the counters of one bucket: by client, by user, and by account, each with its own name in the limiter, which
 * every process shares. They throw `throttled` (`rate_limited`) beyond the allowance, and note it in the answer.
 */
export const makeRateLimit = (limiter: Limiter, hashKey: HashKey, name: string, limit: number) => {
  const bucketBy = (what: string): Bucket => ({ name: `${what}:${name}`, limit, seconds: WINDOW_SECONDS });
  const [client, user, account] = [bucketBy('client'), bucketBy('user'), bucketBy('account')];

  const count = async (ctx: Context, bucket: Bucket, key: string): Promise<void> => {
    const budget = await limiter.take(bucket, key);
    show(ctx, budget);
    if (budget.allowed) return;
    throw new CoreError('throttled', 'rate_limited', 'Too many requests; try again later.', {
      retryAfter: budget.reset,
    });
  };

  return {
    byClient: (ctx: Context) => count(ctx, client, hashKey(ctx.state.client.key)),
    byUser: (ctx: Context, userId: string) => count(ctx, user, userId),
    /** `key` is a digest already; the core counts under the same one. */
    byAccount: (ctx: Context, key: string) => count(ctx, account, key),
  };
};

export type RateLimit = ReturnType<typeof makeRateLimit>;
