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

/** Whether the status starts a grant of the plan. `canceled` starts none: an earlier grant lasts until its end. */
export const hasGrantingStatus = ({ status }: Subscription): boolean => GRANTING.has(status);

const grants = (subscription: Subscription): boolean =>
  subscription.plan !== null && hasGrantingStatus(subscription);

/** Whether both describe one subscription to the same product. */
const isSameProduct = (a: Subscription, b: Subscription): boolean =>
  a.id === b.id && a.plan === b.plan && a.billingCycle === b.billingCycle;

/**
 * The state with the product's name and interval from an event that is older than the provider's answer: only if the answer
 * lacked them, and no newer event supplied them.
 */
const withProductOf = (state: BillingState, older: Subscription, order: EventOrder): BillingState => {
  const stored = state.subscriptions.find((subscription) => isSameProduct(subscription, older));
  if (stored?.productFrom === undefined || older.productName === '') return state;
  if (stored.productFrom !== null && !isNewer(order, stored.productFrom)) return state;
  const { productName, interval } = older;
  const named = { ...stored, productName, interval, productFrom: order };
  return {
    ...state,
    subscriptions: state.subscriptions.map((subscription) =>
      subscription === stored ? named : subscription,
    ),
  };
};

/**
 * The state after an event. For each subscription, and for the deletion of each customer, the newest event counts. So the state
 * does not depend on the order in which events arrive, nor on repetitions. An event that is older than the provider's last
 * answer does three things only: it links its customer, may prove that a plan was granted, and names a product that the answer
 * did not name.
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
  /** Undefined if the provider does not report it. */
  readonly email?: string | undefined;
  readonly subscriptions: readonly Subscription[];
}

export interface ProviderAnswer {
  /** When the question reached the provider, by its clock, epoch milliseconds; null if the provider does not report it. */
  readonly asOf: number | null;
  /** Undefined if the provider has no such customer. */
  readonly customer: CustomerState | undefined;
}

/**
 * The state after the provider gave this answer to a question at `requestedAt` (epoch milliseconds, by our clock). A
 * subscription that the answer does not name has ended, unless it is past due and the customer exists: answers name only
 * active subscriptions, and the grace of a past-due one ends by itself. A subscription whose last event is newer than the answer
 * stays unchanged. Like an event, an answer is ordered by the provider's clock: ours may be ahead, and would make later events
 * look old. Only an answer without a time is ordered by our clock, less the `marginMs` by which the clocks may differ. See
 * decision 0028.
 */
export const foldAnswer = (
  state: BillingState,
  { asOf, customer }: ProviderAnswer,
  requestedAt: number,
  marginMs: number,
): BillingState => {
  const order = answerOrder(asOf ?? requestedAt - marginMs);
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
  const staysUnchanged = ({ id, status }: Subscription): boolean =>
    hasNewerEvent(id) || (customer !== undefined && status === 'past_due');
  const keptOrEnded = state.subscriptions
    .filter((subscription) => !isReplaced(subscription))
    .map((subscription) =>
      staysUnchanged(subscription)
        ? subscription
        : {
            ...subscription,
            status: 'canceled',
            endedAt: Math.min(subscription.endedAt ?? endedBy, endedBy),
            order,
          },
    );
  // An answer without the product's name also lacks the number in an interval such as `3 months`: both stay as stored unless the
  // product changed.
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
  // `restoredAt` demanded an answer after an undone deletion, which this is.
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
