import type { BillingPorts } from './ports.ts';

/** Erases a user from the ledger, the links and the payment provider. Idempotent. */
export const makeForgetCustomer =
  ({ ledger, links, provider }: Pick<BillingPorts, 'ledger' | 'links' | 'provider'>) =>
  async (userId: string, customerIds: readonly string[]): Promise<void> => {
    await ledger.eraseOf(userId, customerIds);
    await links.remove(userId);
    await provider.anonymise(userId);
  };
