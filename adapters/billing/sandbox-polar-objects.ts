import { intervalOf, productById } from './sandbox-catalogue.ts';
import type { CustomerRecord, SandboxSubscription } from './sandbox-customers.ts';

// Complete objects in Polar's format, so that the sandbox sends what production will send.

const ORGANIZATION = '5a9db000-0000-4000-8000-0000000000ff';
/** The last two digits of a price's id are those of its product's id. */
const PRICE_ID_START = '5a9db000-0000-4000-9000-0000000000';

/** ISO 8601 with microseconds; null stays null. */
const iso = (time: number | null): string | null =>
  time === null ? null : new Date(time).toISOString().replace('Z', '000Z');

const intervalOfProduct = (productId: string) => intervalOf(productById(productId)?.cycle);

const priceOf = (productId: string, createdAt: string | null) => ({
  created_at: createdAt,
  modified_at: null,
  id: `${PRICE_ID_START}${productId.slice(-2)}`,
  source: 'catalog',
  amount_type: 'fixed',
  is_archived: false,
  product_id: productId,
  type: 'recurring',
  recurring_interval: intervalOfProduct(productId),
  price_currency: 'usd',
  price_amount: productById(productId)?.amount ?? 0,
  tax_behavior: null,
});

const productOf = (productId: string, createdAt: string | null) => ({
  id: productId,
  created_at: createdAt,
  modified_at: null,
  trial_interval: null,
  trial_interval_count: null,
  name: productById(productId)?.name ?? '',
  description: null,
  visibility: 'public',
  recurring_interval: intervalOfProduct(productId),
  recurring_interval_count: 1,
  meter_interval: null,
  meter_interval_count: null,
  is_recurring: true,
  is_archived: false,
  organization_id: ORGANIZATION,
  metadata: {},
  prices: [priceOf(productId, createdAt)],
  benefits: [],
  medias: [],
  attached_custom_fields: [],
});

/** A customer; `deletedAt` in epoch milliseconds. */
export const customerWire = (record: CustomerRecord, deletedAt: number | null = null) => ({
  id: record.customerId,
  created_at: iso(record.createdAt),
  modified_at: iso(deletedAt),
  metadata: {},
  external_id: record.userId,
  email: record.email,
  email_verified: true,
  type: 'individual',
  name: record.name,
  billing_name: null,
  billing_address: null,
  tax_id: null,
  locale: null,
  organization_id: ORGANIZATION,
  default_payment_method_id: null,
  deleted_at: iso(deletedAt),
  avatar_url: null,
});

/** A subscription of a customer. The sandbox's products and prices have no times of their own, and get the customer's. */
export const subscriptionWire = (record: CustomerRecord, subscription: SandboxSubscription) => ({
  created_at: iso(subscription.createdAt),
  modified_at: iso(subscription.modifiedAt),
  id: subscription.id,
  amount: productById(subscription.productId)?.amount ?? 0,
  currency: 'usd',
  recurring_interval: intervalOfProduct(subscription.productId),
  recurring_interval_count: 1,
  status: subscription.status,
  current_period_start: iso(subscription.periodStart),
  current_period_end: iso(subscription.periodEnd),
  current_meter_period_start: null,
  current_meter_period_end: null,
  trial_start: null,
  trial_end: null,
  cancel_at_period_end: subscription.cancelAtPeriodEnd,
  canceled_at: iso(subscription.canceledAt),
  started_at: iso(subscription.createdAt),
  ends_at: subscription.cancelAtPeriodEnd ? iso(subscription.periodEnd) : iso(subscription.endedAt),
  ended_at: iso(subscription.endedAt),
  past_due_at: null,
  pause_at_period_end: false,
  paused_at: null,
  resumes_at: null,
  customer_id: record.customerId,
  product_id: subscription.productId,
  discount_id: null,
  checkout_id: subscription.checkoutId,
  seats: null,
  customer_cancellation_reason: null,
  customer_cancellation_comment: null,
  metadata: {},
  custom_field_data: {},
  customer: customerWire(record),
  product: productOf(subscription.productId, iso(record.createdAt)),
  discount: null,
  prices: [priceOf(subscription.productId, iso(record.createdAt))],
  meters: [],
  pending_update: null,
});

/** The body of an event at `at` (epoch milliseconds) plus `micro` (0 to 999 µs), which differs between events of one `at`. */
export const eventBody = (type: string, at: number, micro: number, data: unknown): string => {
  const timestamp = new Date(at).toISOString().replace('Z', `${String(micro).padStart(3, '0')}Z`);
  return JSON.stringify({ type, timestamp, api_version: '2026-10', data });
};
