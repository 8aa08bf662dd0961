import { settleAccess } from './access.ts';
import type { Deps } from './deps.ts';
import { invalidBillingCycle, invalidPlan, noCustomer, subscriberNotFound } from './errors.ts';
import { type BillingCycle, type BillingState, isNewer, NO_BILLING } from './subscription.ts';

export interface CheckoutInput {
  readonly plan: string;
  readonly billingCycle: string;
}

const isCycle = (text: string): text is BillingCycle => text === 'monthly' || text === 'yearly';

export const makeCheckout = ({ clock, policy, provider, subscribers }: Deps) => {
  return async (
    userId: string,
    { plan, billingCycle }: CheckoutInput,
    address: string,
  ): Promise<{ readonly url: string }> => {
    if (!policy.plans.includes(plan)) throw invalidPlan(policy.plans);
    if (!isCycle(billingCycle)) throw invalidBillingCycle();
    // From here on the provider may know the user, so deleting the account must erase the user there.
    const isThere = await subscribers.change(userId, (state) =>
      state === null ? settleAccess(NO_BILLING, clock.now(), policy, 'system') : undefined,
    );
    const subscriber = isThere ? await subscribers.find(userId) : undefined;
    if (subscriber === undefined) throw subscriberNotFound();
    const { email, name } = subscriber;
    return { url: await provider.checkout({ userId, email, name, address }, plan, billingCycle) };
  };
};

/** Whether the provider has a customer for the user, by its events so far. A deleted customer does not count. */
const hasCustomer = (state: BillingState): boolean =>
  state.customers.some(
    ({ id, deleted }) =>
      deleted === null ||
      state.subscriptions.some(({ customerId, order }) => customerId === id && isNewer(order, deleted)),
  );

export const makeOpenPortal = ({ provider, subscribers }: Pick<Deps, 'provider' | 'subscribers'>) => {
  return async (userId: string): Promise<{ readonly url: string }> => {
    const state = (await subscribers.find(userId))?.state ?? null;
    if (state === null || !hasCustomer(state)) throw noCustomer();
    const url = await provider.portal(userId);
    if (url === undefined) throw noCustomer();
    return { url };
  };
};
