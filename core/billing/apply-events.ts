import type { Kit } from './kit.ts';
import type { StoredEvent } from './ports.ts';
import { settleAccess } from './settle-access.ts';
import { grants, type ProviderEvent, takeIn } from './state.ts';
import { NO_BILLING } from './subscription.ts';

/** Events that are applied at once. */
const PAGE = 100;

/** Says that an event grants a product that no setting names: whoever mends the settings replays it. */
const isOfUnknownProduct = (event: ProviderEvent): boolean =>
  event.about === 'subscription' &&
  event.subscription.plan === null &&
  grants({ ...event.subscription, plan: '' });

/**
 * Applies what was received. Each event may be applied again without harm, in any order and by several processes: the
 * state takes the newest, and what is there already is no change.
 */
export const makeApplyEvents = (kit: Kit) => {
  const { clock, ledger, links, log, policy, provider, subscribers } = kit;

  const userOf = async ({ userId, customerId }: ProviderEvent): Promise<string | undefined> => {
    const named = userId === null ? undefined : await subscribers.find(userId);
    return named?.userId ?? (await links.find(customerId));
  };

  const applyTo = async (userId: string, event: ProviderEvent): Promise<boolean> => {
    if (await links.link(event.customerId, userId)) await ledger.release(event.customerId, clock.now());
    return subscribers.change(userId, (known) => {
      const before = known ?? NO_BILLING;
      const state = takeIn(before, event);
      return state === before ? undefined : settleAccess(state, clock.now(), policy, 'provider');
    });
  };

  const applyOne = async (stored: StoredEvent): Promise<void> => {
    const event = provider.understand(stored);
    if (event === undefined) return ledger.settle(stored.id, 'ignored', null);
    const userId = await userOf(event);
    if (userId === undefined) {
      await ledger.wait(stored.id, event.customerId);
      // The link may have been made between the look and the wait.
      if ((await links.find(event.customerId)) !== undefined) {
        await ledger.release(event.customerId, clock.now());
      }
      return undefined;
    }
    if (isOfUnknownProduct(event)) {
      log.warn('billing.unknown_product', { id: stored.id, userId });
      return ledger.bury(stored.id, 'unknown_product');
    }
    const isThere = await applyTo(userId, event);
    return ledger.settle(stored.id, isThere ? 'applied' : 'ignored', userId);
  };

  const failed = async ({ id, tries, receivedAt }: StoredEvent, error: unknown): Promise<void> => {
    const now = clock.now();
    log.warn('billing.event_failed', { id, count: tries + 1, error });
    const reason = error instanceof Error ? error.name : 'unknown';
    if (now - receivedAt > policy.eventGiveUp) return ledger.bury(id, reason);
    const pause = Math.min(policy.eventRetryFirst * 2 ** tries, policy.eventRetryLongest);
    return ledger.postpone(id, now + pause, reason);
  };

  /** Gives how many events were looked at. */
  return async (): Promise<number> => {
    const due = await ledger.listDue(clock.now(), PAGE);
    await Promise.all(due.map((event) => applyOne(event).catch((error: unknown) => failed(event, error))));
    return due.length;
  };
};
