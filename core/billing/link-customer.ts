import type { Kit } from './kit.ts';

/**
 * Takes down whose customer this is, and makes those events due that wait for it: each time, since whoever made the
 * link first may have ended before they were made due.
 */
export const makeLinkCustomer =
  ({ clock, ledger, links }: Pick<Kit, 'clock' | 'ledger' | 'links'>) =>
  async (customerId: string, userId: string): Promise<void> => {
    await links.link(customerId, userId);
    await ledger.release(customerId, clock.now());
  };
