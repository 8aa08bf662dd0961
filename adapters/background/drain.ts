import type { Accounts, Leases } from '../../core/index.ts';

const LEASE_MILLISECONDS = 10_000;

/**
 * Moves on what is pending, for a command that ends at once. A running server holds the lease on sending mail, and then
 * mail is left to it; so are events, since nobody hears them from a command.
 */
export const makeSettle =
  ({ accounts, leases, holder }: { accounts: Accounts; leases: Leases; holder: string }) =>
  async (): Promise<void> => {
    const { relayAllButEvents, deliverMail } = accounts.background;
    await relayAllButEvents();
    try {
      for (;;) {
        const lease = await leases.take('mail', holder, LEASE_MILLISECONDS);
        if (lease === undefined || (await deliverMail(lease.fence)) === 0) return;
      }
    } finally {
      await leases.release('mail', holder);
    }
  };
