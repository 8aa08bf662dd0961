import type { SignedDelivery } from '../../core/billing/ports.ts';
import type { ProviderEvent } from '../../core/billing/state.ts';
import { type BillingCycle, rankOf, type Subscription } from '../../core/billing/subscription.ts';
import { isRecord } from '../files/json.ts';
import { microseconds, milliseconds } from './polar-times.ts';

/** The provider's product ids by tier and billing cycle. */
export type Products = Readonly<Record<string, { readonly monthly?: string; readonly yearly?: string }>>;

type Fields = Readonly<Record<string, unknown>>;

/** A delivery of a kind we know that lacks what its kind must have. It holds nothing of the delivery but the field. */
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

/** Printable, without the comma that lists of ids are written with. */
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

const wholeOf = (fields: Fields, name: string): number => {
  const value = fields[name];
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new WrongDelivery(name);
};

const CYCLES: Readonly<Record<string, BillingCycle>> = { month: 'monthly', year: 'yearly' };

/** Which plan a product id stands for, and how it is billed. */
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
  const found = planOf(products, textOf(data, 'product_id'));
  const interval = textOf(data, 'recurring_interval');
  const product = isRecord(data.product) ? data.product : {};
  return {
    id: idOf(data, 'id'),
    customerId: idOf(data, 'customer_id'),
    status: textOf(data, 'status'),
    plan: found?.plan ?? null,
    billingCycle: found?.billingCycle ?? CYCLES[interval] ?? null,
    productName: textOrNull(product, 'name') ?? '',
    amount: wholeOf(data, 'amount'),
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
    // What is not JSON is stored, and of no concern.
  }
  return undefined;
};

/** The event's own time, else when what it is about was changed, else when that was made. */
const timeOf = (fields: Fields, data: Fields): number => {
  const given = [fields.timestamp, data.modified_at, data.created_at].find((time) => (time ?? null) !== null);
  const time = microseconds(given);
  if (time === undefined) throw new WrongDelivery('timestamp');
  return time;
};

/**
 * What a delivery of Polar's says; undefined for kinds that are of no concern. The user is whom `external_id` names;
 * metadata, which a buyer can edit, is not read. Throws `WrongDelivery`.
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
