import type { Accounts, Leases } from '../../core/index.ts';

const LEASE_MS = 10_000;

/**
 * Processes the pending outbox entries, for a command that ends at once. If a server runs, it holds the lease on mail and
 * sends the mail itself. Events are always left to a server, since a command has no listener for them.
 */
export const makeDrain =
  ({ accounts, leases, holder }: { accounts: Accounts; leases: Leases; holder: string }) =>
  async (): Promise<void> => {
    const { relayAllButEvents, deliverMail } = accounts.background;
    await relayAllButEvents();
    try {
      for (;;) {
        const lease = await leases.take('mail', holder, LEASE_MS);
        if (lease === undefined || (await deliverMail(lease.fence)) === 0) return;
      }
    } finally {
      // The first error is the one to report. A lease that is not released expires.
      await leases.release('mail', holder).catch(() => undefined);
    }
  };
