import type { BillingPorts } from './ports.ts';

export const makeForgetCustomer =
  ({ ledger, links, provider }: Pick<BillingPorts, 'ledger' | 'links' | 'provider'>) =>
  async (userId: string, customerIds: readonly string[]): Promise<void> => {
    await ledger.eraseOf(userId, customerIds);
    await links.remove(userId);
    await provider.anonymise(userId);
  };
