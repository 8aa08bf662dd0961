import { billingAccess } from './access.ts';
import type { Deps } from './deps.ts';
import { noSubscription } from './errors.ts';
import type { BillingCycle } from './subscription.ts';
import type { Price, PriceOf } from './zloty.ts';

/** Spec section 2, Subscription. Periods are whole Unix seconds. */
export interface SubscriptionView {
  readonly id: string;
  readonly status: string;
  readonly currentPeriodStart: number | null;
  readonly currentPeriodEnd: number | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly plan: string;
  readonly billingCycle: BillingCycle | null;
  readonly price: Price;
  readonly product: { readonly name: string };
}

const seconds = (time: number | null): number | null => (time === null ? null : Math.floor(time / 1_000));

export const makeShowSubscription =
  ({ clock, policy, subscribers }: Deps, priceOf: PriceOf) =>
  async (userId: string): Promise<SubscriptionView> => {
    const state = (await subscribers.find(userId))?.state ?? null;
    const best = state === null ? undefined : billingAccess(state, clock.now(), policy).best;
    if (best === undefined || best.plan === null) throw noSubscription();
    return {
      id: best.id,
      status: best.cancelAtPeriodEnd ? 'canceled' : best.status,
      currentPeriodStart: seconds(best.currentPeriodStart),
      currentPeriodEnd: seconds(best.currentPeriodEnd),
      cancelAtPeriodEnd: best.cancelAtPeriodEnd,
      plan: best.plan,
      billingCycle: best.billingCycle,
      price: await priceOf(best),
      product: { name: best.productName },
    };
  };
