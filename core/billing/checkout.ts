import { CoreError, invalid } from '../errors.ts';
import { object, type TypeOf, text } from '../schema.ts';
import type { Deps } from './deps.ts';
import { noCustomer, subscriberNotFound } from './errors.ts';
import { isNewer } from './event-order.ts';
import { makeReconcile } from './reconcile.ts';
import { BILLING_CYCLES, type BillingCycle, type BillingState, NO_BILLING } from './subscription.ts';
import { settleAccess } from './subscription-access.ts';

export const checkoutInput = object({
  plan: text({ maxLength: 64, description: '`pro-lite` or `pro`', examples: ['pro'] }),
  billingCycle: text({ maxLength: 64, description: '`monthly` or `yearly`', examples: ['monthly'] }),
});
export type CheckoutInput = TypeOf<typeof checkoutInput>;

export const providerPage = object({
  url: text({
    format: 'uri',
    description: 'The page to which the user is redirected',
    examples: ['https://buy.example.com/checkout/c2VjcmV0'],
  }),
});
/** The address of a page of the payment provider, for one user. */
export type ProviderPage = TypeOf<typeof providerPage>;

const isCycle = (cycle: string): cycle is BillingCycle => BILLING_CYCLES.some((name) => name === cycle);

export const makeCheckout = (deps: Deps) => {
  const { clock, log, policy, provider, subscribers } = deps;
  const reconcile = makeReconcile(deps);

  return async (
    userId: string,
    { plan, billingCycle }: CheckoutInput,
    address: string,
  ): Promise<ProviderPage> => {
    if (!policy.plans.includes(plan))
      throw invalid('invalid_plan', `The plan must be one of ${policy.plans.join(', ')}.`);
    if (!isCycle(billingCycle))
      throw invalid('invalid_billing_cycle', 'The billing cycle must be monthly or yearly.');
    // From here on the provider may know the user. The deletion of an account erases the user there only if there is a billing
    // state, so an empty one is stored first.
    const hasAccount = await subscribers.change(userId, (state) =>
      state === null ? settleAccess(NO_BILLING, clock.now(), policy, 'system') : undefined,
    );
    const subscriber = hasAccount ? await subscribers.find(userId) : undefined;
    if (subscriber === undefined) throw subscriberNotFound();
    const { email, name } = subscriber;
    try {
      return { url: await provider.checkout({ userId, email, name, address }, plan, billingCycle) };
    } catch (error) {
      // The events of the user's subscription may not have arrived. In that case the provider's answer grants what was paid for.
      if (error instanceof CoreError && error.code === 'already_subscribed')
        await reconcile(userId).catch((failure: unknown) => {
          // `missing`: the account was deleted meanwhile.
          if (!(failure instanceof CoreError && failure.kind === 'missing'))
            log.warn('billing.reconcile_failed', { userId, error: failure });
        });
      throw error;
    }
  };
};

/**
 * Whether the events so far say that the provider has a customer for the user. A deleted customer exists again if a
 * subscription event is newer than the deletion.
 */
const hasCustomer = (state: BillingState): boolean =>
  state.customers.some(
    ({ id, deleted }) =>
      deleted === null ||
      state.subscriptions.some(({ customerId, order }) => customerId === id && isNewer(order, deleted)),
  );

export const makeOpenPortal =
  ({ provider, subscribers }: Pick<Deps, 'provider' | 'subscribers'>) =>
  async (userId: string): Promise<ProviderPage> => {
    const state = (await subscribers.find(userId))?.state ?? null;
    if (state === null || !hasCustomer(state)) throw noCustomer();
    const url = await provider.portal(userId);
    if (url === undefined) throw noCustomer();
    return { url };
  };
