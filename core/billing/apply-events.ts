import type { Kit } from './kit.ts';
import { makeLinkCustomer } from './link-customer.ts';
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
  const linkCustomer = makeLinkCustomer(kit);

  /** Whom the provider names, whether or not the account is still there; else whose customer it is known to be. */
  const userOf = async ({ userId, customerId }: ProviderEvent): Promise<string | undefined> =>
    userId !== null && (await subscribers.knows(userId)) ? userId : links.find(customerId);

  const applyTo = (userId: string, event: ProviderEvent): Promise<boolean> =>
    subscribers.change(userId, (known) => {
      const before = known ?? NO_BILLING;
      const state = takeIn(before, event);
      return state === before ? undefined : settleAccess(state, clock.now(), policy, 'provider');
    });

  /** Of whoever has no account any more nothing is kept but that the delivery came. */
  const forget = async (id: string, userId: string, { customerId }: ProviderEvent): Promise<void> => {
    await ledger.settle(id, 'ignored', userId);
    await ledger.eraseOf(userId, [customerId]);
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
    if ((await subscribers.find(userId)) === undefined) return forget(stored.id, userId, event);
    if (isOfUnknownProduct(event)) {
      log.warn('billing.unknown_product', { id: stored.id, userId });
      return ledger.bury(stored.id, 'unknown_product', userId);
    }
    if (!(await applyTo(userId, event))) return forget(stored.id, userId, event);
    await linkCustomer(event.customerId, userId);
    return ledger.settle(stored.id, 'applied', userId);
  };

  const failed = async ({ id, tries, receivedAt }: StoredEvent, error: unknown): Promise<void> => {
    const now = clock.now();
    log.warn('billing.event_failed', { id, count: tries + 1, error });
    const reason = error instanceof Error ? error.name : 'unknown';
    if (now - receivedAt > policy.eventGiveUp) return ledger.bury(id, reason, null);
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
