import { CoreError, invalid } from '../errors.ts';

export const noCustomer = () =>
  invalid('no_billing_customer', 'You have not bought anything yet, so there is nothing to manage.');

export const subscriberNotFound = () => new CoreError('missing', 'user_not_found', 'There is no such user.');
