import { time } from '../../accounts/responses/parts.ts';
import { nullable, type ObjectSchema } from '../../http/schema.ts';

export const text = (description: string, example: string) =>
  ({ type: 'string', description, examples: [example] }) as const;

export const textOrNull = (description: string, example: string | null = null) =>
  ({ type: ['string', 'null'], description, examples: [example] }) as const;

export const timeOrNull = (description: string, example: string | null = null) =>
  ({ type: ['string', 'null'], format: 'date-time', description, examples: [example] }) as const;

const soldProduct = {
  type: 'object',
  title: 'SoldSubscription',
  properties: {
    id: text('At the payment provider', 'sub_1'),
    customerId: text('At the payment provider', 'cus_1'),
    status: text('As the provider says it', 'active'),
    plan: textOrNull('Null where no setting maps the product to a plan', 'pro'),
    billingCycle: textOrNull('`monthly` or `yearly`', 'monthly'),
    productName: text('', 'Pro'),
    amount: { type: 'integer', description: 'Hundredths of `currency`', examples: [999] },
    currency: text('ISO 4217', 'EUR'),
    interval: text('', 'month'),
    currentPeriodStart: timeOrNull('', '2026-11-21T18:00:00.000Z'),
    currentPeriodEnd: timeOrNull('', '2026-12-21T18:00:00.000Z'),
    cancelAtPeriodEnd: { type: 'boolean', examples: [false] },
    revoked: { type: 'boolean', examples: [false] },
    pastDueAt: timeOrNull('Since when a payment is due'),
    endedAt: timeOrNull(''),
    toldAt: time,
  },
  required: [
    ...(['id', 'customerId', 'status', 'plan', 'billingCycle', 'productName', 'amount', 'currency'] as const),
    ...(['interval', 'currentPeriodStart', 'currentPeriodEnd', 'cancelAtPeriodEnd', 'revoked'] as const),
    ...(['pastDueAt', 'endedAt', 'toldAt'] as const),
  ],
} as const satisfies ObjectSchema;

/** Billing's data about a user; null for a user who never opened the checkout. */
export const billing = nullable({
  type: 'object',
  title: 'BillingOfUser',
  properties: {
    customers: {
      type: 'array',
      items: {
        type: 'object',
        title: 'Customer',
        properties: { id: text('At the payment provider', 'cus_1'), deletedAt: timeOrNull('') },
        required: ['id', 'deletedAt'],
      },
    },
    subscriptions: { type: 'array', items: soldProduct },
  },
  required: ['customers', 'subscriptions'],
});
