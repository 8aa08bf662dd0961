import { CoreError, unavailable } from '../errors.ts';
import { list, nullable, object, oneOf, type TypeOf, text } from '../schema.ts';
import type { Deps } from './deps.ts';
import type { PlanPrice } from './ports.ts';
import { isInDollars, type PriceOf, price } from './price-in-zloty.ts';
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

/** Caches the provider's prices in dollars. Concurrent callers share one request, and a failure is cached for a short time. */
const makeCachedPrices = ({ clock, log, policy, provider }: Deps) => {
  const readPrices = async (): Promise<readonly PlanPrice[]> => {
    const prices = await provider.prices();
    for (const { plan, billingCycle, currency } of prices.filter((planPrice) => !isInDollars(planPrice))) {
      log.error('billing.price_not_in_dollars', { id: plan, reason: `${billingCycle} price in ${currency}` });
    }
    return prices.filter(isInDollars);
  };

  let cached: { readonly prices: Promise<readonly PlanPrice[]>; readonly expiresAt: number } | undefined;

  return (): Promise<readonly PlanPrice[]> => {
    const now = clock.now();
    // If more than a whole life remains, the clock was set back since.
    if (cached !== undefined && now < cached.expiresAt && cached.expiresAt - now <= policy.priceLifeMs) {
      return cached.prices;
    }
    const prices = readPrices();
    cached = { prices, expiresAt: now + policy.priceLifeMs };
    prices.catch((error: unknown) => {
      log.warn('billing.prices_unavailable', { error });
      if (cached?.prices === prices) cached = { prices, expiresAt: clock.now() + policy.pricesRetryMs };
    });
    return prices;
  };
};

/** The plans in the order of the settings, without those that the provider does not sell at a fixed price in dollars. */
export const makeListPlans = (deps: Deps, priceOf: PriceOf) => {
  const cachedPrices = makeCachedPrices(deps);

  return async (): Promise<TypeOf<typeof planList>> => {
    const prices = await cachedPrices().catch((error: unknown) => {
      const retryAfter = error instanceof CoreError ? error.facts.retryAfter : undefined;
      throw unavailable('price_unavailable', 'The prices are temporarily unavailable.', retryAfter);
    });
    const planPrices = deps.policy.plans.flatMap((plan) =>
      BILLING_CYCLES.flatMap(
        (cycle) =>
          prices.find((planPrice) => planPrice.plan === plan && planPrice.billingCycle === cycle) ?? [],
      ),
    );
    const view = async (planPrice: PlanPrice): Promise<PlanView> => ({
      plan: planPrice.plan,
      billingCycle: planPrice.billingCycle,
      product: { name: planPrice.productName, description: planPrice.description },
      price: await priceOf(planPrice),
    });
    return { plans: await Promise.all(planPrices.map(view)) };
  };
};
