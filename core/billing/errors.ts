import { CoreError, invalid } from '../errors.ts';

export const invalidPlan = (plans: readonly string[]) =>
  invalid('invalid_plan', `The plan must be one of ${plans.join(', ')}.`);

export const invalidBillingCycle = () =>
  invalid('invalid_billing_cycle', 'The billing cycle must be monthly or yearly.');

export const noCustomer = () =>
  invalid('no_billing_customer', 'You have not bought anything yet, so there is nothing to manage.');

export const noSubscription = () =>
  new CoreError('missing', 'no_active_subscription', 'There is no active subscription.');

export const subscriberNotFound = () => new CoreError('missing', 'user_not_found', 'There is no such user.');

export const eventNotFound = () =>
  new CoreError('missing', 'event_not_found', 'There is no delivery with this id.');
