import { settleAccess } from './access.ts';
import type { Kit } from './kit.ts';
import type { BillingPolicy } from './policy.ts';
import type { BillingChange, StoredEvent } from './ports.ts';
import { grants, type ProviderEvent, takeIn } from './state.ts';
import { type BillingState, NO_BILLING } from './subscription.ts';

/**
 * Stores which user a customer is and makes the events due that wait for it. It does both each time: a process may have
 * ended between the two.
 */
export const makeLinkCustomer =
  ({ clock, ledger, links }: Kit) =>
  async (customerId: string, userId: string): Promise<void> => {
    await links.link(customerId, userId);
    await ledger.release(customerId, clock.now());
  };

/** Events that are applied at once. */
const PAGE = 100;

/** An event, and the delivery that told it. */
interface Told {
  readonly id: string;
  readonly stored: StoredEvent;
  readonly event: ProviderEvent;
}

/** The event names a product that no setting maps to a plan. Fix the setting, then replay the event. */
const isOfUnknownProduct = (event: ProviderEvent): boolean =>
  event.about === 'subscription' &&
  event.subscription.plan === null &&
  grants({ ...event.subscription, plan: '' });

/** The billing state after these events, with the access that it gives; undefined if they change nothing. */
const afterEvents = (
  known: BillingState | null,
  events: readonly ProviderEvent[],
  now: number,
  policy: BillingPolicy,
): BillingChange | undefined => {
  const before = known ?? NO_BILLING;
  const state = events.reduce(takeIn, before);
  return state === before ? undefined : settleAccess(state, now, policy, 'provider');
};

/**
 * The newest event decides the state, and an event that is applied already changes nothing, so order and repetitions do
 * not matter. See decision 0030.
 */
export const makeApplyEvents = (kit: Kit) => {
  const { clock, ledger, links, log, policy, provider, subscribers } = kit;
  const linkCustomer = makeLinkCustomer(kit);

  /** Whom the provider names, whether or not the account is still there; else whose customer it is known to be. */
  const userOf = async ({ userId, customerId }: ProviderEvent): Promise<string | undefined> =>
    userId !== null && (await subscribers.knows(userId)) ? userId : links.find(customerId);

  /** Takes all of them in with one change; false when there is no such account. */
  const applyTo = (userId: string, events: readonly ProviderEvent[]): Promise<boolean> =>
    subscribers.change(userId, (known) => afterEvents(known, events, clock.now(), policy));

  /** For a user without an account nothing is kept except the fact of the delivery. */
  const forget = async (id: string, userId: string, { customerId }: ProviderEvent): Promise<void> => {
    await ledger.settle(id, 'ignored', userId);
    await ledger.eraseOf(userId, [customerId]);
  };

  /** Looks for whom it is about. */
  const applyOne = async ({ id, event }: Told): Promise<void> => {
    const userId = await userOf(event);
    if (userId === undefined) {
      await ledger.wait(id, event.customerId);
      // The link may have been made between the look and the wait.
      if ((await links.find(event.customerId)) !== undefined) {
        await ledger.release(event.customerId, clock.now());
      }
      return undefined;
    }
    if ((await subscribers.find(userId)) === undefined) return forget(id, userId, event);
    if (isOfUnknownProduct(event)) {
      log.warn('billing.unknown_product', { id, userId });
      return ledger.bury(id, 'unknown_product', userId);
    }
    if (!(await applyTo(userId, [event]))) return forget(id, userId, event);
    await linkCustomer(event.customerId, userId);
    return ledger.settle(id, 'applied', userId);
  };

  const failed = async ({ id, tries, receivedAt }: StoredEvent, error: unknown): Promise<void> => {
    const now = clock.now();
    log.warn('billing.event_failed', { id, count: tries + 1, error });
    const reason = error instanceof Error ? error.name : 'unknown';
    if (now - receivedAt > policy.eventGiveUp) return ledger.bury(id, reason, null);
    const pause = Math.min(policy.eventRetryFirst * 2 ** tries, policy.eventRetryLongest);
    return ledger.postpone(id, now + pause, reason);
  };

  /** Tells it of each whose work fails. */
  const each = async (told: readonly Told[], work: (one: Told) => Promise<void>): Promise<void> => {
    await Promise.all(told.map((one) => work(one).catch((error: unknown) => failed(one.stored, error))));
  };

  /**
   * All that is due about one user who is there, which is nearly always so: it is one change for any number of events,
   * which would be in each other's way otherwise. What cannot be done so is done one by one.
   */
  const applyTogether = async (userId: string, told: readonly Told[]): Promise<void> => {
    const events = told.map(({ event }) => event);
    if (!(await applyTo(userId, events).catch(() => false))) return each(told, applyOne);
    const linked = new Map(
      [...new Set(events.map(({ customerId }) => customerId))].map((id) => [id, linkCustomer(id, userId)]),
    );
    await each(told, async ({ id, event }) => {
      await linked.get(event.customerId);
      await ledger.settle(id, 'applied', userId);
    });
  };

  /** Relevant events by the user that the provider names; null for events that stand alone. */
  const understood = async (due: readonly StoredEvent[]): Promise<ReadonlyMap<string | null, Told[]>> => {
    const byUser = new Map<string | null, Told[]>();
    const understand = async (stored: StoredEvent) => {
      const event = provider.understand(stored);
      if (event === undefined) return ledger.settle(stored.id, 'ignored', null);
      const userId = isOfUnknownProduct(event) ? null : event.userId;
      byUser.set(userId, [...(byUser.get(userId) ?? []), { id: stored.id, stored, event }]);
    };
    await Promise.all(
      due.map((stored) => understand(stored).catch((error: unknown) => failed(stored, error))),
    );
    return byUser;
  };

  /** Gives how many events were looked at. */
  return async (): Promise<number> => {
    const due = await ledger.listDue(clock.now(), PAGE);
    const byUser = await understood(due);
    await Promise.all(
      Array.from(byUser, ([userId, told]) =>
        userId === null ? each(told, applyOne) : applyTogether(userId, told),
      ),
    );
    return due.length;
  };
};
