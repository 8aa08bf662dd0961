import { answerOrder, type EventOrder, isNewer } from './event-order.ts';
import type { BillingState, LinkedCustomer, Subscription, SubscriptionState } from './subscription.ts';

/** The content of an event, independent of the provider. */
export type ProviderEvent = {
  readonly order: EventOrder;
  readonly customerId: string;
  /** Our user id, where the provider knows it. */
  readonly userId: string | null;
} & (
  | { readonly about: 'subscription'; readonly subscription: Subscription; readonly revoked: boolean }
  | { readonly about: 'customer'; readonly deleted: boolean }
);

const byId = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? -1 : 1);

const withCustomer = (state: BillingState, customer: LinkedCustomer): BillingState => ({
  ...state,
  customers: [...state.customers.filter(({ id }) => id !== customer.id), customer].sort(byId),
});

/** Whether the provider answered a question after the event. */
const isOutdated = ({ answered }: BillingState, order: EventOrder): boolean =>
  answered !== null && !isNewer(order, answered);

const GRANTING = new Set(['active', 'trialing', 'past_due']);

/** Whether the status grants the plan, if there is one. `canceled` starts no grant: it lets an earlier one last until its end. */
export const hasGrantingStatus = ({ status }: Subscription): boolean => GRANTING.has(status);

const grants = (subscription: Subscription): boolean =>
  subscription.plan !== null && hasGrantingStatus(subscription);

/** Whether both describe one subscription to the same product. */
const isSameProduct = (a: Subscription, b: Subscription): boolean =>
  a.id === b.id && a.plan === b.plan && a.billingCycle === b.billingCycle;

/** The state with name and interval of the product as in the event, if the answer lacked them and no newer event supplied them. */
const withProductOf = (state: BillingState, late: Subscription, order: EventOrder): BillingState => {
  const stored = state.subscriptions.find((subscription) => isSameProduct(subscription, late));
  if (stored?.productFrom === undefined || late.productName === '') return state;
  if (stored.productFrom !== null && !isNewer(order, stored.productFrom)) return state;
  const { productName, interval } = late;
  const named = { ...stored, productName, interval, productFrom: order };
  return {
    ...state,
    subscriptions: state.subscriptions.map((subscription) =>
      subscription === stored ? named : subscription,
    ),
  };
};

/**
 * The state after an event. For each subscription, and for the deletion of each customer, the newest event counts: so
 * the state does not depend on the order and number in which events arrive. An event that is older than the provider's last
 * answer links its customer, may prove that a plan was granted, and names a product that the answer did not name; it changes
 * nothing else.
 */
export const foldEvent = (before: BillingState, event: ProviderEvent): BillingState => {
  const { order, customerId } = event;
  const isGrant = event.about === 'subscription' && grants(event.subscription);
  const state = isGrant && !before.granted ? { ...before, granted: true } : before;
  const existing = state.customers.find(({ id }) => id === customerId);
  const customer = existing ?? { id: customerId, deleted: null };
  const linked = existing === undefined ? withCustomer(state, customer) : state;
  if (isOutdated(state, order))
    return event.about === 'subscription' ? withProductOf(linked, event.subscription, order) : linked;
  if (event.about === 'customer') {
    if (!event.deleted || (customer.deleted !== null && !isNewer(order, customer.deleted))) return linked;
    return withCustomer(linked, { ...customer, deleted: order });
  }
  const { subscription, revoked } = event;
  const previous = state.subscriptions.find(({ id }) => id === subscription.id);
  if (previous !== undefined && !isNewer(order, previous.order)) return linked;
  const others = state.subscriptions.filter(({ id }) => id !== subscription.id);
  return { ...linked, subscriptions: [...others, { ...subscription, order, revoked }].sort(byId) };
};

/** The provider's answer about a customer: its live subscriptions. */
export interface CustomerState {
  readonly customerId: string;
  /** Undefined if the provider does not say. */
  readonly email?: string | undefined;
  readonly subscriptions: readonly Subscription[];
}

export interface ProviderAnswer {
  /** When the question reached the provider, by its clock, epoch milliseconds; null if the provider does not say. */
  readonly asOf: number | null;
  /** Undefined if the provider has no such customer. */
  readonly customer: CustomerState | undefined;
}

/**
 * The state after the provider gave this answer to a question at `requestedAt` (epoch milliseconds, by our clock). A
 * subscription that the answer does not name has ended, unless it is past due and the customer exists: answers name only
 * active subscriptions, and the grace of a past-due one ends by itself. Newer events stay. Like an event, an answer is ordered
 * by the time of the provider: our clock may be ahead, and would make later events look old. Only an answer without a time is
 * ordered by our clock, less the `margin` by which the clocks may differ. See decision 0028.
 */
export const foldAnswer = (
  state: BillingState,
  { asOf, customer }: ProviderAnswer,
  requestedAt: number,
  margin: number,
): BillingState => {
  const order = answerOrder(asOf ?? requestedAt - margin);
  // The earlier time: an end that lies in the future by our clock would go on granting the plan.
  const endedBy = Math.min(asOf ?? requestedAt, requestedAt);
  const live = customer?.subscriptions ?? [];
  const namedIds = new Set(live.map(({ id }) => id));
  const linked =
    customer === undefined || state.customers.some(({ id }) => id === customer.customerId)
      ? state
      : withCustomer(state, { id: customer.customerId, deleted: null });
  const hasNewerEvent = (id: string): boolean =>
    state.subscriptions.some((subscription) => subscription.id === id && isNewer(subscription.order, order));
  const isReplaced = ({ id }: Subscription): boolean => namedIds.has(id) && !hasNewerEvent(id);
  const stays = ({ id, status }: Subscription): boolean =>
    hasNewerEvent(id) || (customer !== undefined && status === 'past_due');
  const keptOrEnded = state.subscriptions
    .filter((subscription) => !isReplaced(subscription))
    .map((subscription) =>
      stays(subscription)
        ? subscription
        : {
            ...subscription,
            status: 'canceled',
            endedAt: Math.min(subscription.endedAt ?? endedBy, endedBy),
            order,
          },
    );
  // An answer without the product's name also lacks the number of intervals: both stay as stored unless the product changed.
  const withProduct = (subscription: Subscription): Subscription & Pick<SubscriptionState, 'productFrom'> => {
    if (subscription.productName !== '') return subscription;
    const stored = state.subscriptions.find((other) => isSameProduct(other, subscription));
    if (stored === undefined)
      return { ...subscription, productName: subscription.plan ?? '', productFrom: null };
    const { productName, interval, productFrom } = stored;
    return { ...subscription, productName, interval, ...(productFrom !== undefined && { productFrom }) };
  };
  const fromAnswer = live
    .filter(({ id }) => !hasNewerEvent(id))
    .map((subscription) => ({ ...withProduct(subscription), order, revoked: false }));
  // `restoredAt` asks for an answer after an undone deletion: this is one.
  const { restoredAt: _, ...answeredState } = linked;
  return {
    ...answeredState,
    subscriptions: [...keptOrEnded, ...fromAnswer].sort(byId),
    granted: state.granted || live.some(grants),
    answered: order,
    askedAt: requestedAt,
    triedAt: null,
  };
};
