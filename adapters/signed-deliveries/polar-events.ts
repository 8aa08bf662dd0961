import { rankOf } from '../../core/billing/event-order.ts';
import type { ProviderEvent } from '../../core/billing/fold-events.ts';
import type { SignedDelivery } from '../../core/billing/ports.ts';
import type { BillingCycle, Subscription } from '../../core/billing/subscription.ts';
import { isRecord } from '../files/json.ts';

const TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/;

/** Epoch microseconds of an ISO 8601 time, truncated; undefined for anything else. */
export const microseconds = (value: unknown): number | undefined => {
  const [, seconds, fraction = '', zone] = (typeof value === 'string' && TIME.exec(value)) || [];
  const wholeSeconds = seconds === undefined ? Number.NaN : Date.parse(`${seconds}${zone}`);
  return Number.isNaN(wholeSeconds)
    ? undefined
    : wholeSeconds * 1_000 + Number(fraction.slice(0, 6).padEnd(6, '0'));
};

/** Epoch milliseconds of an ISO 8601 time, truncated; undefined for anything else. */
export const milliseconds = (value: unknown): number | undefined => {
  const time = microseconds(value);
  return time === undefined ? undefined : Math.floor(time / 1_000);
};

/** The provider's product ids by tier and billing cycle. */
export type Products = Readonly<Record<string, { readonly monthly?: string; readonly yearly?: string }>>;

type Fields = Readonly<Record<string, unknown>>;

/** A delivery of a known kind lacks a required field. The error holds only the name of the field. */
export class WrongDelivery extends Error {
  override readonly name = 'WrongDelivery';
}

const SUBSCRIPTION_KINDS = new Set(
  ['created', 'updated', 'active', 'canceled', 'uncanceled', 'past_due', 'paused', 'resumed', 'revoked'].map(
    (kind) => `subscription.${kind}`,
  ),
);
const CUSTOMER_KINDS = new Set(['created', 'updated', 'deleted'].map((kind) => `customer.${kind}`));

const textOf = (fields: Fields, name: string): string => {
  const value = fields[name];
  if (typeof value === 'string' && value !== '' && value.length <= 1_024) return value;
  throw new WrongDelivery(name);
};

/** Printable, without the comma, which separates ids in lists. */
const ID = /^[\x20-\x2b\x2d-\x7e]{1,255}$/;

const idOf = (fields: Fields, name: string): string => {
  const id = textOf(fields, name);
  if (ID.test(id)) return id;
  throw new WrongDelivery(name);
};

const textOrNull = (fields: Fields, name: string): string | null =>
  (fields[name] ?? null) === null ? null : textOf(fields, name);

const timeOrNull = (fields: Fields, name: string): number | null => {
  if ((fields[name] ?? null) === null) return null;
  const time = milliseconds(fields[name]);
  if (time === undefined) throw new WrongDelivery(name);
  return time;
};

const recordOf = (fields: Fields, name: string): Fields => {
  const value = fields[name];
  if (isRecord(value)) return value;
  throw new WrongDelivery(name);
};

const integerOf = (fields: Fields, name: string): number => {
  const value = fields[name];
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new WrongDelivery(name);
};

const CYCLES: Readonly<Record<string, BillingCycle>> = { month: 'monthly', year: 'yearly' };

/** The plan and billing cycle of a product id. */
const planOf = (
  products: Products,
  productId: string,
): { readonly plan: string; readonly billingCycle: BillingCycle } | undefined => {
  for (const [plan, { monthly, yearly }] of Object.entries(products)) {
    if (monthly === productId) return { plan, billingCycle: 'monthly' };
    if (yearly === productId) return { plan, billingCycle: 'yearly' };
  }
  return undefined;
};

/** A subscription as Polar writes it, in an event or in a customer's state. Throws `WrongDelivery`. */
export const readSubscription = (data: Fields, products: Products): Subscription => {
  const soldPlan = planOf(products, textOf(data, 'product_id'));
  const interval = textOf(data, 'recurring_interval');
  const product = isRecord(data.product) ? data.product : {};
  return {
    id: idOf(data, 'id'),
    customerId: idOf(data, 'customer_id'),
    status: textOf(data, 'status'),
    plan: soldPlan?.plan ?? null,
    billingCycle: soldPlan?.billingCycle ?? CYCLES[interval] ?? null,
    productName: textOrNull(product, 'name') ?? '',
    amount: integerOf(data, 'amount'),
    currency: textOf(data, 'currency').toLowerCase(),
    interval,
    currentPeriodStart: timeOrNull(data, 'current_period_start'),
    currentPeriodEnd: timeOrNull(data, 'current_period_end'),
    cancelAtPeriodEnd: data.cancel_at_period_end === true,
    pastDueAt: timeOrNull(data, 'past_due_at'),
    endedAt: timeOrNull(data, 'ended_at'),
  };
};

const envelopeOf = (body: string): { readonly type: string; readonly fields: Fields } | undefined => {
  try {
    const fields: unknown = JSON.parse(body);
    if (isRecord(fields) && typeof fields.type === 'string') return { type: fields.type, fields };
  } catch {
    // A body that is not JSON is stored and ignored.
  }
  return undefined;
};

/** The time of the event, else when its subject was changed, else when that was made. */
const timeOf = (fields: Fields, data: Fields): number => {
  const value = [fields.timestamp, data.modified_at, data.created_at].find((time) => (time ?? null) !== null);
  const time = microseconds(value);
  if (time === undefined) throw new WrongDelivery('timestamp');
  return time;
};

/**
 * Reads a delivery of Polar; undefined for kinds that are not used. The user is that of `external_id`; metadata, which a buyer
 * can edit, is not read. Throws `WrongDelivery`.
 */
export const makeUnderstand =
  (products: Products) =>
  ({ id, body }: SignedDelivery): ProviderEvent | undefined => {
    const { type = '', fields = {} } = envelopeOf(body) ?? {};
    const isSubscription = SUBSCRIPTION_KINDS.has(type);
    if (!isSubscription && !CUSTOMER_KINDS.has(type)) return undefined;
    const data = recordOf(fields, 'data');
    const order = { at: timeOf(fields, data), rank: rankOf(type), id };
    if (!isSubscription) {
      const deleted = type === 'customer.deleted';
      const userId = textOrNull(data, 'external_id');
      return { order, customerId: idOf(data, 'id'), userId, about: 'customer', deleted };
    }
    const subscription = readSubscription(data, products);
    const customer = isRecord(data.customer) ? data.customer : {};
    return {
      order,
      customerId: subscription.customerId,
      userId: textOrNull(customer, 'external_id'),
      about: 'subscription',
      subscription,
      revoked: type === 'subscription.revoked',
    };
  };
