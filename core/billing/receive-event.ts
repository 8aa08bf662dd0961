import type { Kit } from './kit.ts';

/**
 * Takes a delivery in: it is stored durably before this resolves, and applied soon after. Another one under a known id
 * counts for nothing. Throws `forbidden` (`invalid_signature`), and `unavailable` when it could not be stored.
 */
export const makeReceiveEvent =
  ({ clock, ledger, log, provider, wake }: Kit) =>
  async (
    headers: Readonly<Record<string, string | readonly string[] | undefined>>,
    raw: Uint8Array,
  ): Promise<{ readonly received: true }> => {
    const now = clock.now();
    const delivery = await provider.readDelivery(headers, raw, now);
    if (await ledger.add(delivery, now)) {
      log.info('billing.event_received', { id: delivery.id });
      wake();
    }
    return { received: true };
  };
