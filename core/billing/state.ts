import {
  answered,
  type BillingState,
  type EventOrder,
  isNewer,
  type KnownCustomer,
  type Subscription,
} from './subscription.ts';

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

const customerOf = (state: BillingState, id: string): KnownCustomer =>
  state.customers.find((one) => one.id === id) ?? { id, deleted: null };

const withCustomer = (state: BillingState, customer: KnownCustomer): BillingState => ({
  ...state,
  customers: [...state.customers.filter(({ id }) => id !== customer.id), customer].toSorted((one, other) =>
    one.id < other.id ? -1 : 1,
  ),
});

const isOutdated = ({ answered: floor }: BillingState, order: EventOrder): boolean =>
  floor !== null && !isNewer(order, floor);

/** Statuses that grant a plan when they are said. */
const GRANTING = new Set(['active', 'trialing', 'past_due']);

export const grants = ({ plan, status }: Subscription): boolean => plan !== null && GRANTING.has(status);

/**
 * The state with an event taken in. Of everything that is said about one subscription, or about the deletion of one
 * customer, the newest stays: so the state is the same in whatever order and number events arrive.
 */
export const takeIn = (given: BillingState, event: ProviderEvent): BillingState => {
  const { order, customerId } = event;
  const isGrant = event.about === 'subscription' && grants(event.subscription);
  const state = isGrant && !given.granted ? { ...given, granted: true } : given;
  const customer = customerOf(state, customerId);
  const isKnown = state.customers.includes(customer);
  const linked = isKnown ? state : withCustomer(state, customer);
  if (isOutdated(state, order)) return linked;
  if (event.about === 'customer') {
    if (!event.deleted || (customer.deleted !== null && !isNewer(order, customer.deleted))) return linked;
    return withCustomer(linked, { ...customer, deleted: order });
  }
  const { subscription, revoked } = event;
  const known = state.subscriptions.find(({ id }) => id === subscription.id);
  if (known !== undefined && !isNewer(order, known.order)) return linked;
  const others = state.subscriptions.filter(({ id }) => id !== subscription.id);
  return {
    ...linked,
    subscriptions: [...others, { ...subscription, order, revoked }].toSorted((one, other) =>
      one.id < other.id ? -1 : 1,
    ),
  };
};

/** The provider's answer about a customer: its live subscriptions. */
export interface CustomerState {
  readonly customerId: string;
  readonly subscriptions: readonly Subscription[];
}

export interface ProviderAnswer {
  /** By the provider's clock, epoch milliseconds: what happened before is in the answer. Null where it does not say. */
  readonly asOf: number | null;
  /** Undefined when it knows no such customer. */
  readonly customer: CustomerState | undefined;
}

/**
 * The state after the provider was asked at `askedAt` (epoch milliseconds, by our clock) and gave that answer. What it
 * does not name has ended, but for what is past due: answers name what is active alone, and its grace ends by itself.
 * Events that came about since stay. Their times are the provider's: where it does not say which its answer is of, the
 * two clocks may differ by as much as `margin`.
 * See decision 0028.
 */
export const takeAnswer = (
  state: BillingState,
  { asOf, customer: answer }: ProviderAnswer,
  askedAt: number,
  margin: number,
): BillingState => {
  // A date that stands still, as of an answer that a proxy keeps, would have it asked again and again.
  const order = answered(Math.max(asOf ?? askedAt - margin, askedAt - 2 * margin));
  const live = answer?.subscriptions ?? [];
  const named = new Set(live.map(({ id }) => id));
  const linked =
    answer === undefined || state.customers.some(({ id }) => id === answer.customerId)
      ? state
      : withCustomer(state, { id: answer.customerId, deleted: null });
  const fresh = (id: string): boolean =>
    state.subscriptions.some((one) => one.id === id && isNewer(one.order, order));
  const stays = ({ id, status }: Subscription): boolean =>
    fresh(id) || (answer !== undefined && status === 'past_due');
  const kept = state.subscriptions
    .filter(({ id }) => fresh(id) || !named.has(id))
    .map((one) => (stays(one) ? one : { ...one, status: 'canceled', endedAt: askedAt, order }));
  // The answer need not name the product.
  const nameOf = (one: Subscription): string =>
    one.productName || (state.subscriptions.find(({ id }) => id === one.id)?.productName ?? one.plan ?? '');
  const told = live
    .filter(({ id }) => !fresh(id))
    .map((one) => ({ ...one, productName: nameOf(one), order, revoked: false }));
  return {
    ...linked,
    subscriptions: [...kept, ...told].toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    granted: state.granted || live.some(grants),
    answered: order,
    triedAt: null,
  };
};
