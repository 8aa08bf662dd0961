import { randomUUID } from 'node:crypto';

/** The products of the tests, in the format of `POLAR_PRODUCTS`. */
export const PRODUCTS = {
  'pro-lite': { monthly: 'prod-lite-month', yearly: 'prod-lite-year' },
  pro: { monthly: 'prod-pro-month', yearly: 'prod-pro-year' },
} as const;

const DAY = 86_400_000;
const iso = (time: number | null) =>
  time === null ? null : new Date(time).toISOString().replace('Z', '000Z');

/** A delivery from Polar, as far as the product reads it. */
export interface PolarEvent {
  readonly id: string;
  readonly type: string;
  readonly body: string;
}

export interface PolarSubscription {
  readonly id: string;
  readonly customerId: string;
  readonly userId: string | null;
  productId: string;
  status: string;
  amount: number;
  periodStart: number;
  periodEnd: number;
  cancelAtPeriodEnd: boolean;
  pastDueAt: number | null;
  endedAt: number | null;
}

export const newSubscription = (
  fields: Partial<PolarSubscription> & { readonly userId: string | null },
  now: number,
): PolarSubscription => ({
  id: randomUUID(),
  customerId: 'customer',
  productId: PRODUCTS.pro.monthly,
  status: 'active',
  amount: 999,
  periodStart: now,
  periodEnd: now + 30 * DAY,
  cancelAtPeriodEnd: false,
  pastDueAt: null,
  endedAt: null,
  ...fields,
});

const envelope = (type: string, at: number, data: unknown, id: string = randomUUID()): PolarEvent => ({
  id,
  type,
  body: JSON.stringify({ type, timestamp: iso(at), api_version: '2026-10', data }),
});

/** An event about the state of a subscription at `at` (epoch milliseconds). */
export const subscriptionEvent = (
  kind: string,
  subscription: PolarSubscription,
  at: number,
  id?: string,
): PolarEvent => {
  const data = {
    id: subscription.id,
    created_at: iso(subscription.periodStart),
    modified_at: iso(at),
    status: subscription.status,
    amount: subscription.amount,
    currency: 'usd',
    recurring_interval: 'month',
    current_period_start: iso(subscription.periodStart),
    current_period_end: iso(subscription.periodEnd),
    cancel_at_period_end: subscription.cancelAtPeriodEnd,
    past_due_at: iso(subscription.pastDueAt),
    ended_at: iso(subscription.endedAt),
    customer_id: subscription.customerId,
    product_id: subscription.productId,
    metadata: { userId: 'somebody else', external_id: 'somebody else' },
    customer: { id: subscription.customerId, external_id: subscription.userId, email: 'buyer@example.com' },
    product: { id: subscription.productId, name: 'Pro' },
  };
  return envelope(`subscription.${kind}`, at, data, id);
};

/** An event about a customer. */
export const customerEvent = (
  kind: 'created' | 'updated' | 'deleted',
  { customerId, userId }: { readonly customerId: string; readonly userId: string | null },
  at: number,
): PolarEvent =>
  envelope(`customer.${kind}`, at, {
    id: customerId,
    external_id: userId,
    email: 'buyer@example.com',
    metadata: { userId: 'somebody else' },
    created_at: iso(at),
    modified_at: iso(at),
  });

export type Step = 'renew' | 'fail' | 'recover' | 'cancel' | 'resume' | 'revoke' | 'end' | 'delete';

/** All events that the provider sends for a subscription that goes through these steps. */
export const historyOf = (
  customer: { readonly userId: string; readonly customerId: string; readonly beginsAt: number },
  steps: readonly Step[],
): readonly PolarEvent[] => {
  let now = customer.beginsAt;
  const subscription = newSubscription({ ...customer, status: 'incomplete' }, now);
  const events: PolarEvent[] = [];
  const send = (...kinds: readonly string[]) => {
    // Events of the same step have the same time.
    now += 3_600_000;
    for (const kind of kinds) events.push(subscriptionEvent(kind, subscription, now));
  };
  const apply: Readonly<Record<Step, () => void>> = {
    renew: () => {
      subscription.periodStart = subscription.periodEnd;
      subscription.periodEnd += 30 * DAY;
      send('updated', 'active');
    },
    fail: () => {
      subscription.status = 'past_due';
      subscription.pastDueAt = now;
      send('updated', 'past_due');
    },
    recover: () => {
      subscription.status = 'active';
      subscription.pastDueAt = null;
      send('updated', 'active');
    },
    cancel: () => {
      subscription.cancelAtPeriodEnd = true;
      send('updated', 'canceled');
    },
    resume: () => {
      subscription.cancelAtPeriodEnd = false;
      send('updated', 'uncanceled');
    },
    revoke: () => {
      subscription.status = 'canceled';
      subscription.endedAt = now;
      send('updated', 'canceled', 'revoked');
    },
    end: () => {
      subscription.status = 'canceled';
      subscription.endedAt = subscription.periodEnd;
      send('updated', 'revoked');
    },
    delete: () => {
      now += 3_600_000;
      events.push(customerEvent('deleted', customer, now));
    },
  };
  events.push(customerEvent('created', customer, now));
  send('created');
  subscription.status = 'active';
  send('updated', 'active');
  for (const step of steps) apply[step]();
  return events;
};
