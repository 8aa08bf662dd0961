import type { Limiter } from '../../core/ports.ts';
import type { MetricsIn } from './prom.ts';

/** Gives the same limiter, with its refusals counted. */
export const makeLimiterMetrics = ({ counter }: MetricsIn) => {
  const refusals = counter({
    name: 'gatehouse_rate_limit_refusals_total',
    help: 'Calls beyond the allowance of a bucket',
    labelNames: ['bucket'],
  });
  return (limiter: Limiter): Limiter => ({
    take: async (bucket, key) => {
      const budget = await limiter.take(bucket, key);
      if (!budget.allowed) refusals.inc({ bucket: bucket.name });
      return budget;
    },
  });
};
