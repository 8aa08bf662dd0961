import type { BillingProvider } from '../../core/billing/ports.ts';
import { CoreError, unavailable } from '../../core/errors.ts';

/** For a product without billing: rejects every purchase and every delivery. */
export const noBilling: BillingProvider = {
  checkout: async () => {
    throw unavailable('billing_unavailable', 'Purchases are turned off.', 3_600);
  },
  portal: async () => undefined,
  prices: async () => [],
  stateOf: async () => ({ asOf: null, customer: undefined }),
  rateLimitEndsInMs: () => 0,
  anonymise: async () => undefined,
  changeEmail: async () => undefined,
  readDelivery: async () => {
    throw new CoreError('forbidden', 'invalid_signature', 'No payment provider is configured.');
  },
  parseEvent: () => undefined,
};
