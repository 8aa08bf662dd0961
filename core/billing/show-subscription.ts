import { unavailable } from '../errors.ts';
import { billingAccess } from './access.ts';
import { noSubscription } from './errors.ts';
import type { Kit } from './kit.ts';
import { convertCents, majorUnits } from './price.ts';
import { makeCurrentRate } from './rates.ts';
import type { BillingCycle, KnownSubscription } from './subscription.ts';

/** The price of one interval in złoty, with the rate that made it of dollars. */
export interface Price {
  readonly amount: number;
  readonly currency: 'PLN';
  readonly interval: string;
  readonly exchange: { readonly rate: number; readonly effectiveDate: string; readonly stale: boolean };
}

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

export const makeShowSubscription = (kit: Kit) => {
  const { clock, policy, subscribers } = kit;
  const currentRate = makeCurrentRate(kit);

  const priceOf = async ({ amount, currency, interval }: KnownSubscription): Promise<Price> => {
    if (currency !== 'usd') {
      throw unavailable('price_unavailable', 'The price is not in dollars, and cannot be converted.', 3_600);
    }
    const { mid, effectiveDate, stale } = await currentRate();
    return {
      amount: majorUnits(convertCents(amount, mid)),
      currency: 'PLN',
      interval,
      exchange: { rate: Number(mid), effectiveDate, stale },
    };
  };

  return async (userId: string): Promise<SubscriptionView> => {
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
};
