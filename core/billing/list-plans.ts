import { CoreError, unavailable } from '../errors.ts';
import type { Kit } from './kit.ts';
import type { PlanPrice } from './ports.ts';
import type { BillingCycle } from './subscription.ts';
import type { Price, PriceOf } from './zloty.ts';

/** A plan that can be bought, and what one interval of it costs. */
export interface PlanView {
  readonly plan: string;
  readonly billingCycle: BillingCycle;
  readonly product: { readonly name: string };
  readonly price: Price;
}

const CYCLES: readonly BillingCycle[] = ['monthly', 'yearly'];

/** The provider's prices, kept for a while. Concurrent callers share one question, and a failure holds for a moment. */
const makeKnownPrices = ({ clock, log, policy, provider }: Kit) => {
  let known: { readonly prices: Promise<readonly PlanPrice[]>; readonly until: number } | undefined;

  return (): Promise<readonly PlanPrice[]> => {
    const now = clock.now();
    if (known !== undefined && now < known.until && known.until - now <= policy.pricesKept) {
      return known.prices;
    }
    const prices = provider.prices();
    known = { prices, until: now + policy.pricesKept };
    prices.catch((error: unknown) => {
      log.warn('billing.prices_unavailable', { error });
      known = { prices, until: clock.now() + policy.pricesRetry };
    });
    return prices;
  };
};

const noPrices = (error: unknown): CoreError =>
  unavailable(
    'price_unavailable',
    'The prices cannot be learned just now.',
    error instanceof CoreError ? error.facts.retryAfter : undefined,
  );

/** The plans in the order of the settings. What the provider does not sell at a fixed price is left out. */
export const makeListPlans = (kit: Kit, priceOf: PriceOf) => {
  const knownPrices = makeKnownPrices(kit);

  return async (): Promise<{ readonly plans: readonly PlanView[] }> => {
    const prices = await knownPrices().catch((error: unknown) => {
      throw noPrices(error);
    });
    const sold = kit.policy.plans.flatMap((plan) =>
      CYCLES.flatMap((cycle) =>
        prices.filter((one) => one.plan === plan && one.billingCycle === cycle).slice(0, 1),
      ),
    );
    const view = async (one: PlanPrice): Promise<PlanView> => ({
      plan: one.plan,
      billingCycle: one.billingCycle,
      product: { name: one.productName },
      price: await priceOf(one),
    });
    return { plans: await Promise.all(sold.map(view)) };
  };
};
