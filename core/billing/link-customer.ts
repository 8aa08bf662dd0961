import type { Kit } from './kit.ts';

/**
 * Stores which user a customer is and makes the events due that wait for it. It does both each time: a process may have
 * ended between the two.
 */
export const makeLinkCustomer =
  ({ clock, ledger, links }: Pick<Kit, 'clock' | 'ledger' | 'links'>) =>
  async (customerId: string, userId: string): Promise<void> => {
    await links.link(customerId, userId);
    await ledger.release(customerId, clock.now());
  };
