import type { BillingProvider } from '../../core/billing/ports.ts';
import { CoreError, unavailable } from '../../core/errors.ts';

/** For a product that sells nothing: every purchase and every delivery is refused. */
export const noBilling: BillingProvider = {
  checkout: async () => {
    throw unavailable('billing_unavailable', 'Nothing can be bought here.', 3_600);
  },
  portal: async () => undefined,
  prices: async () => [],
  stateOf: async () => ({ asOf: null, customer: undefined }),
  restsFor: () => 0,
  anonymise: async () => undefined,
  readDelivery: async () => {
    throw new CoreError('forbidden', 'invalid_signature', 'No payment provider is configured.');
  },
  understand: () => undefined,
};
