import { CoreError, unavailable } from '../errors.ts';
import { list, nullable, object, oneOf, type TypeOf, text } from '../schema.ts';
import type { Deps } from './deps.ts';
import type { PlanPrice } from './ports.ts';
import { type PriceOf, price } from './price-in-zloty.ts';
import { BILLING_CYCLES, PLAN } from './subscription.ts';

const planView = object(
  {
    plan: PLAN,
    billingCycle: oneOf(BILLING_CYCLES, { examples: ['monthly'] }),
    product: object({
      name: text({ examples: ['Pro'] }),
      description: nullable(
        text({
          description: 'What buyers get, as the payment provider describes it',
          examples: ['More storage for your files.'],
        }),
      ),
    }),
    price,
  },
  { title: 'Plan' },
);
/** A plan that can be bought, with the price of one interval. */
export type PlanView = TypeOf<typeof planView>;

export const planList = object({ plans: list(planView) }, { title: 'Plans' });

/** Caches the provider's prices. Concurrent callers share one request, and a failure is cached for a short time. */
const makeCachedPrices = ({ clock, log, policy, provider }: Deps) => {
  let cached: { readonly prices: Promise<readonly PlanPrice[]>; readonly until: number } | undefined;

  return (): Promise<readonly PlanPrice[]> => {
    const now = clock.now();
    if (cached !== undefined && now < cached.until && cached.until - now <= policy.priceLife) {
      return cached.prices;
    }
    const prices = provider.prices();
    cached = { prices, until: now + policy.priceLife };
    prices.catch((error: unknown) => {
      log.warn('billing.prices_unavailable', { error });
      cached = { prices, until: clock.now() + policy.pricesRetry };
    });
    return prices;
  };
};

const noPrices = (error: unknown): CoreError =>
  unavailable(
    'price_unavailable',
    'The prices are temporarily unavailable.',
    error instanceof CoreError ? error.facts.retryAfter : undefined,
  );

/** The plans in the order of the settings, without those that the provider does not sell at a fixed price. */
export const makeListPlans = (deps: Deps, priceOf: PriceOf) => {
  const cachedPrices = makeCachedPrices(deps);

  return async (): Promise<TypeOf<typeof planList>> => {
    const prices = await cachedPrices().catch((error: unknown) => {
      throw noPrices(error);
    });
    const sold = deps.policy.plans.flatMap((plan) =>
      BILLING_CYCLES.flatMap((cycle) =>
        prices.filter((price) => price.plan === plan && price.billingCycle === cycle).slice(0, 1),
      ),
    );
    const view = async (price: PlanPrice): Promise<PlanView> => ({
      plan: price.plan,
      billingCycle: price.billingCycle,
      product: { name: price.productName, description: price.description },
      price: await priceOf(price),
    });
    return { plans: await Promise.all(sold.map(view)) };
  };
};
