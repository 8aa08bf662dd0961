import type { Deps } from './deps.ts';
import { makeRecordFailure } from './failed-events.ts';
import { foldEvent, hasGrantingStatus, type ProviderEvent } from './fold-events.ts';
import type { BillingPolicy } from './policy.ts';
import type { BillingChange, StoredEvent } from './ports.ts';
import { reduceToType } from './receive-event.ts';
import { type BillingState, NO_BILLING } from './subscription.ts';
import { settleAccess } from './subscription-access.ts';

/**
 * Stores which user a customer is and makes the waiting events of that customer due. Both steps always run: an earlier
 * process may have ended between them.
 */
export const makeLinkCustomer =
  ({ clock, ledger, links }: Deps) =>
  async (customerId: string, userId: string): Promise<void> => {
    await links.link(customerId, userId);
    await ledger.release(customerId, clock.now());
  };

/** Events that are applied in one round. */
const PAGE = 100;

interface EventDelivery {
  readonly stored: StoredEvent;
  readonly event: ProviderEvent;
}

/** Whether the event would grant a plan, but the settings do not map its product to one. Fix them, then replay the event. */
const isOfUnknownProduct = (event: ProviderEvent): boolean =>
  event.about === 'subscription' && event.subscription.plan === null && hasGrantingStatus(event.subscription);

/** The billing state after these events, with the access that it grants; undefined if the events change nothing. */
const afterEvents = (
  state: BillingState | null,
  events: readonly ProviderEvent[],
  now: number,
  policy: BillingPolicy,
): BillingChange | undefined => {
  const before = state ?? NO_BILLING;
  const after = events.reduce(foldEvent, before);
  // An event that changes nothing leaves the same object.
  return after === before ? undefined : settleAccess(after, now, policy, 'provider');
};

/**
 * Applies a page of due events, and returns their number. The newest event decides the state, and a repeated event changes
 * nothing, so neither order nor repetitions matter. See decision 0028.
 */
export const makeApplyEvents = (deps: Deps) => {
  const { clock, ledger, links, log, policy, provider, subscribers } = deps;
  const linkCustomer = makeLinkCustomer(deps);
  const recordFailure = makeRecordFailure(deps);

  /** The user that the provider names, even if the account is deleted; otherwise the user linked to the customer. */
  const userOf = async ({ userId, customerId }: ProviderEvent): Promise<string | undefined> =>
    userId !== null && (await subscribers.knows(userId)) ? userId : links.find(customerId);

  /** Applies all events with one change; false if there is no such account. */
  const applyTo = (userId: string, events: readonly ProviderEvent[]): Promise<boolean> =>
    subscribers.change(userId, (state) => afterEvents(state, events, clock.now(), policy));

  /** If the user has no account, all that stays stored is that the delivery arrived. */
  const forget = async (id: string, userId: string, { customerId }: ProviderEvent): Promise<void> => {
    await ledger.move(id, { state: 'ignored', userId, body: null });
    await ledger.eraseOf(userId, [customerId]);
  };

  /** Applies one event by itself, whether or not its user is known. */
  const applyDelivery = async ({ stored: { id }, event }: EventDelivery): Promise<void> => {
    const userId = await userOf(event);
    if (userId === undefined) {
      await ledger.move(id, { state: 'waiting', customerId: event.customerId });
      // Another process may have linked the customer between the lookup and the wait.
      if ((await links.find(event.customerId)) !== undefined) {
        await ledger.release(event.customerId, clock.now());
      }
      return undefined;
    }
    if ((await subscribers.find(userId)) === undefined) return forget(id, userId, event);
    if (isOfUnknownProduct(event)) {
      log.warn('billing.unknown_product', { id, userId });
      return ledger.move(id, { state: 'dead', failure: 'unknown_product', userId });
    }
    if (!(await applyTo(userId, [event]))) return forget(id, userId, event);
    await linkCustomer(event.customerId, userId);
    return ledger.move(id, { state: 'applied', userId });
  };

  /** Runs the work for every delivery, and records failures. */
  const applyEach = async (
    deliveries: readonly EventDelivery[],
    work: (delivery: EventDelivery) => Promise<void>,
  ): Promise<void> => {
    await Promise.all(
      deliveries.map((delivery) =>
        work(delivery).catch((error: unknown) =>
          recordFailure(delivery.stored, error, delivery.event.userId),
        ),
      ),
    );
  };

  /**
   * Applies all due events about one user with one change: parallel changes of one user conflict and are repeated. If that
   * fails, or there is no such account, each event gets a change of its own, so that one bad event does not stop the others.
   */
  const applyTogether = async (userId: string, deliveries: readonly EventDelivery[]): Promise<void> => {
    const events = deliveries.map(({ event }) => event);
    if (!(await applyTo(userId, events).catch(() => false))) return applyEach(deliveries, applyDelivery);
    // One call for each customer: its events wait for the call, and fail with it.
    const linkCalls = new Map(
      [...new Set(events.map(({ customerId }) => customerId))].map((id) => [id, linkCustomer(id, userId)]),
    );
    await applyEach(deliveries, async ({ stored: { id }, event }) => {
      await linkCalls.get(event.customerId);
      await ledger.move(id, { state: 'applied', userId });
    });
  };

  /**
   * Groups the relevant events by the user that the provider names. Under null are the events that must be applied one by one:
   * the provider names no user, or the product is unknown. Irrelevant events are moved to `ignored`.
   */
  const groupByUser = async (
    dueEvents: readonly StoredEvent[],
  ): Promise<ReadonlyMap<string | null, EventDelivery[]>> => {
    const byUser = new Map<string | null, EventDelivery[]>();
    const addToGroup = async (stored: StoredEvent) => {
      const event = provider.parseEvent(stored);
      if (event === undefined)
        return ledger.move(stored.id, { state: 'ignored', userId: null, body: reduceToType(stored.body) });
      const userId = isOfUnknownProduct(event) ? null : event.userId;
      byUser.set(userId, [...(byUser.get(userId) ?? []), { stored, event }]);
    };
    await Promise.all(
      dueEvents.map((stored) =>
        addToGroup(stored).catch((error: unknown) => recordFailure(stored, error, null)),
      ),
    );
    return byUser;
  };

  return async (): Promise<number> => {
    const now = clock.now();
    const latestRetry = now + policy.eventRetryLongestMs;
    const dueEvents = await ledger.listDue(now, PAGE, latestRetry);
    const byUser = await groupByUser(dueEvents);
    await Promise.all(
      Array.from(byUser, ([userId, deliveries]) =>
        userId === null ? applyEach(deliveries, applyDelivery) : applyTogether(userId, deliveries),
      ),
    );
    return dueEvents.length;
  };
};
