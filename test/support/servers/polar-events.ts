import { randomUUID } from 'node:crypto';

/** Products of the tests, as `POLAR_PRODUCTS` names them. */
export const PRODUCTS = {
  'pro-lite': { monthly: 'prod-lite-month', yearly: 'prod-lite-year' },
  pro: { monthly: 'prod-pro-month', yearly: 'prod-pro-year' },
} as const;

const DAY = 86_400_000;
const iso = (time: number | null) =>
  time === null ? null : new Date(time).toISOString().replace('Z', '000Z');

/** A delivery of Polar's, as far as the product reads it. */
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
  given: Partial<PolarSubscription> & { readonly userId: string | null },
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
  ...given,
});

const envelope = (type: string, at: number, data: unknown, id: string = randomUUID()): PolarEvent => ({
  id,
  type,
  body: JSON.stringify({ type, timestamp: iso(at), api_version: '2026-10', data }),
});

/** An event about a subscription as it is at `at` (epoch milliseconds). */
export const subscriptionEvent = (
  kind: string,
  one: PolarSubscription,
  at: number,
  id?: string,
): PolarEvent => {
  const data = {
    id: one.id,
    created_at: iso(one.periodStart),
    modified_at: iso(at),
    status: one.status,
    amount: one.amount,
    currency: 'usd',
    recurring_interval: 'month',
    current_period_start: iso(one.periodStart),
    current_period_end: iso(one.periodEnd),
    cancel_at_period_end: one.cancelAtPeriodEnd,
    past_due_at: iso(one.pastDueAt),
    ended_at: iso(one.endedAt),
    customer_id: one.customerId,
    product_id: one.productId,
    metadata: { userId: 'somebody else', external_id: 'somebody else' },
    customer: { id: one.customerId, external_id: one.userId, email: 'buyer@example.com' },
    product: { id: one.productId, name: 'Pro' },
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

/** Everything that the provider would send over the life of one subscription that goes through these steps. */
export const historyOf = (
  given: { readonly userId: string; readonly customerId: string; readonly beginsAt: number },
  steps: readonly Step[],
): readonly PolarEvent[] => {
  let now = given.beginsAt;
  const one = newSubscription({ ...given, status: 'incomplete' }, now);
  const events: PolarEvent[] = [];
  const send = (...kinds: readonly string[]) => {
    // Several kinds of one moment bear one time.
    now += 3_600_000;
    for (const kind of kinds) events.push(subscriptionEvent(kind, one, now));
  };
  const apply: Readonly<Record<Step, () => void>> = {
    renew: () => {
      one.periodStart = one.periodEnd;
      one.periodEnd += 30 * DAY;
      send('updated', 'active');
    },
    fail: () => {
      one.status = 'past_due';
      one.pastDueAt = now;
      send('updated', 'past_due');
    },
    recover: () => {
      one.status = 'active';
      one.pastDueAt = null;
      send('updated', 'active');
    },
    cancel: () => {
      one.cancelAtPeriodEnd = true;
      send('updated', 'canceled');
    },
    resume: () => {
      one.cancelAtPeriodEnd = false;
      send('updated', 'uncanceled');
    },
    revoke: () => {
      one.status = 'canceled';
      one.endedAt = now;
      send('updated', 'canceled', 'revoked');
    },
    end: () => {
      one.status = 'canceled';
      one.endedAt = one.periodEnd;
      send('updated', 'revoked');
    },
    delete: () => {
      now += 3_600_000;
      events.push(customerEvent('deleted', given, now));
    },
  };
  events.push(customerEvent('created', given, now));
  send('created');
  one.status = 'active';
  send('updated', 'active');
  for (const step of steps) apply[step]();
  return events;
};
