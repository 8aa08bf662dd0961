import type { Billing } from '../../../core/index.ts';
import { type AnswerOf, answerOf } from '../../http/schema.ts';
import { flag, isTrue } from './parts.ts';

const period = (example: number) =>
  ({ type: ['integer', 'null'], description: 'Unix seconds', examples: [example] }) as const;

const billingCycles = ['monthly', 'yearly'] as const;
const plan = { type: 'string', examples: ['pro'] } as const;

const price = {
  type: 'object',
  title: 'Price',
  properties: {
    amount: { type: 'number', description: 'Złoty, with two decimals', examples: [35.96] },
    currency: { type: 'string', const: 'PLN' },
    interval: { type: 'string', examples: ['month'] },
    exchange: {
      type: 'object',
      description: 'The mid rate of the National Bank of Poland at which dollars were converted',
      properties: {
        rate: { type: 'number', examples: [4] },
        effectiveDate: { type: 'string', format: 'date', examples: ['2026-11-20'] },
        stale: flag('Whether the bank could not be asked for a newer one'),
      },
      required: ['rate', 'effectiveDate', 'stale'],
    },
  },
  required: ['amount', 'currency', 'interval', 'exchange'],
} as const;

const product = {
  type: 'object',
  properties: { name: { type: 'string', examples: ['Pro'] } },
  required: ['name'],
} as const;

export const plansResponse = answerOf<AnswerOf<Billing['listPlans']>>()({
  type: 'object',
  title: 'Plans',
  properties: {
    plans: {
      type: 'array',
      items: {
        type: 'object',
        title: 'Plan',
        properties: {
          plan,
          billingCycle: { type: 'string', enum: billingCycles, examples: ['monthly'] },
          product,
          price,
        },
        required: ['plan', 'billingCycle', 'product', 'price'],
      },
    },
  },
  required: ['plans'],
});

export const subscriptionResponse = answerOf<AnswerOf<Billing['showSubscription']>>()({
  type: 'object',
  title: 'Subscription',
  properties: {
    id: { type: 'string', examples: ['b7d2e5a0-6f1c-4b8e-9a3d-2c4e6f8091a2'] },
    status: { type: 'string', description: 'The provider’s word', examples: ['active'] },
    currentPeriodStart: period(1_795_284_000),
    currentPeriodEnd: period(1_797_876_000),
    cancelAtPeriodEnd: flag('Whether it ends with the period'),
    plan,
    billingCycle: { type: ['string', 'null'], enum: [...billingCycles, null] },
    price,
    product,
  },
  required: [
    ...(['id', 'status', 'currentPeriodStart', 'currentPeriodEnd', 'cancelAtPeriodEnd'] as const),
    ...(['plan', 'billingCycle', 'price', 'product'] as const),
  ],
});

export const addressResponse = answerOf<AnswerOf<Billing['checkout']>>()({
  type: 'object',
  properties: {
    url: {
      type: 'string',
      format: 'uri',
      description: 'Where to go on',
      examples: ['https://buy.example.com/checkout/c2VjcmV0'],
    },
  },
  required: ['url'],
});

export const receivedResponse = answerOf<AnswerOf<Billing['receiveEvent']>>()({
  type: 'object',
  properties: { received: isTrue },
  required: ['received'],
});
