import { rankOf } from '../../core/billing/event-order.ts';
import type { ProviderEvent } from '../../core/billing/fold-events.ts';
import type { SignedDelivery } from '../../core/billing/ports.ts';
import { BILLING_CYCLES, type BillingCycle, type Subscription } from '../../core/billing/subscription.ts';
import { isRecord } from '../files/json.ts';

const TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/;

/** Epoch microseconds of an ISO 8601 time, truncated; undefined for anything else. */
export const microseconds = (value: unknown): number | undefined => {
  const [, seconds, fraction = '', zone] = (typeof value === 'string' ? TIME.exec(value) : null) ?? [];
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

/** The provider's product ids by plan and billing cycle. A plan is the tier that it grants. */
export type Products = Readonly<Record<string, { readonly monthly?: string; readonly yearly?: string }>>;

type Fields = Readonly<Record<string, unknown>>;

/** A delivery of a known kind lacks a field, or has one of the wrong type. The error holds only the name of the field. */
export class WrongDelivery extends Error {
  override readonly name = 'WrongDelivery';
}

const SUBSCRIPTION_KINDS = new Set(
  [
    'created',
    'updated',
    'active',
    'cycled',
    'canceled',
    'uncanceled',
    'past_due',
    'paused',
    'resumed',
    'revoked',
  ].map((kind) => `subscription.${kind}`),
);
const CUSTOMER_KINDS = new Set(['created', 'updated', 'deleted'].map((kind) => `customer.${kind}`));

/** The member of this name, if it has that type. Throws `WrongDelivery`. */
const memberOf = <T>(fields: Fields, name: string, isOfType: (value: unknown) => value is T): T => {
  const value = fields[name];
  if (isOfType(value)) return value;
  throw new WrongDelivery(name);
};

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 1_024;

/** Printable ASCII without the comma, which separates ids in lists. */
const isId = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x20-\x2b\x2d-\x7e]{1,255}$/.test(value);

const isAmount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const isMissing = (value: unknown): boolean => value === undefined || value === null;

const textOrNull = (fields: Fields, name: string): string | null =>
  isMissing(fields[name]) ? null : memberOf(fields, name, isText);

const timeOrNull = (fields: Fields, name: string): number | null => {
  if (isMissing(fields[name])) return null;
  const time = milliseconds(fields[name]);
  if (time === undefined) throw new WrongDelivery(name);
  return time;
};

const CYCLES: Readonly<Record<string, BillingCycle>> = { month: 'monthly', year: 'yearly' };

/** The period of a price: `month`, or `3 months` if it has several. Twelve months are a `year`. */
export const intervalOf = (interval: string, count: unknown): string => {
  if (interval === 'month' && count === 12) return 'year';
  return Number(count ?? 1) > 1 ? `${count} ${interval}s` : interval;
};

/** Currencies without hundredths: Polar's amounts are whole units, and ours are hundredths in every currency. */
const WHOLE_CURRENCIES = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '));

/** The product ids, each with its plan and billing cycle. */
export const productIdsIn = (products: Products) =>
  Object.entries(products).flatMap(([plan, cycles]) =>
    BILLING_CYCLES.flatMap((billingCycle) => {
      const id = cycles[billingCycle];
      return id === undefined ? [] : [{ plan, billingCycle, id }];
    }),
  );

/** A subscription as Polar writes it, in an event or in a customer's state. Throws `WrongDelivery`. */
export const readSubscription = (data: Fields, products: Products): Subscription => {
  const productId = memberOf(data, 'product_id', isText);
  const soldPlan = productIdsIn(products).find(({ id }) => id === productId);
  const interval = intervalOf(memberOf(data, 'recurring_interval', isText), data.recurring_interval_count);
  const currency = memberOf(data, 'currency', isText).toLowerCase();
  const product = isRecord(data.product) ? data.product : {};
  return {
    id: memberOf(data, 'id', isId),
    customerId: memberOf(data, 'customer_id', isId),
    status: memberOf(data, 'status', isText),
    plan: soldPlan?.plan ?? null,
    billingCycle: soldPlan?.billingCycle ?? CYCLES[interval] ?? null,
    productName: textOrNull(product, 'name') ?? '',
    amount: memberOf(data, 'amount', isAmount) * (WHOLE_CURRENCIES.has(currency) ? 100 : 1),
    currency,
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

/** The time of the event, else of the last change of its data, else of the data's creation. Epoch microseconds. */
const timeOf = (fields: Fields, data: Fields): number => {
  const value = [fields.timestamp, data.modified_at, data.created_at].find((time) => !isMissing(time));
  const time = microseconds(value);
  if (time === undefined) throw new WrongDelivery('timestamp');
  return time;
};

/**
 * Reads the event in a delivery; undefined for a kind that is in neither `SUBSCRIPTION_KINDS` nor `CUSTOMER_KINDS`. The user is
 * `external_id`: metadata, which buyers can edit, is not read. Throws `WrongDelivery`.
 */
export const makeParseEvent =
  (products: Products) =>
  ({ id, body }: SignedDelivery): ProviderEvent | undefined => {
    const { type = '', fields = {} } = envelopeOf(body) ?? {};
    const isSubscription = SUBSCRIPTION_KINDS.has(type);
    if (!isSubscription && !CUSTOMER_KINDS.has(type)) return undefined;
    const data = memberOf(fields, 'data', isRecord);
    const order = { at: timeOf(fields, data), rank: rankOf(type), id };
    if (!isSubscription) {
      const deleted = type === 'customer.deleted';
      const userId = textOrNull(data, 'external_id');
      return { order, customerId: memberOf(data, 'id', isId), userId, about: 'customer', deleted };
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
