import { CoreError } from '../errors.ts';
import { flag, integer, nullable, object, oneOf, type TypeOf, text } from '../schema.ts';
import type { Deps } from './deps.ts';
import { type PriceOf, price } from './price-in-zloty.ts';
import { BILLING_CYCLES, PLAN, PRODUCT } from './subscription.ts';
import { billingAccess } from './subscription-access.ts';

const period = (example: number) => nullable(integer({ description: 'Unix seconds', examples: [example] }));

export const subscriptionView = object(
  {
    id: text({ examples: ['b7d2e5a0-6f1c-4b8e-9a3d-2c4e6f8091a2'] }),
    status: text({
      description: 'The provider’s word, or `canceled` if the subscription is set to end with its period',
      examples: ['active'],
    }),
    currentPeriodStart: period(1_795_284_000),
    currentPeriodEnd: period(1_797_876_000),
    cancelAtPeriodEnd: flag({ description: 'Whether it ends with the period', examples: [false] }),
    plan: PLAN,
    billingCycle: nullable(oneOf(BILLING_CYCLES)),
    price,
    product: PRODUCT,
  },
  { title: 'Subscription' },
);
export type SubscriptionView = TypeOf<typeof subscriptionView>;

const seconds = (time: number | null): number | null => (time === null ? null : Math.floor(time / 1_000));

export const makeShowSubscription =
  ({ clock, policy, subscribers }: Deps, priceOf: PriceOf) =>
  async (userId: string): Promise<SubscriptionView> => {
    const state = (await subscribers.find(userId))?.state ?? null;
    const best = state === null ? undefined : billingAccess(state, clock.now(), policy).best;
    // `best` always has a plan; its check satisfies the compiler.
    if (best === undefined || best.plan === null)
      throw new CoreError('missing', 'no_active_subscription', 'There is no active subscription.');
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
