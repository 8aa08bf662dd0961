import { eventView } from '../../../core/billing/list-events.ts';
import type { BillingView, EventView } from '../../../core/index.ts';
import { answerOf } from '../../http/schema.ts';
import { billing } from './billing.ts';

export const billingOfUserResponse = answerOf<{
  readonly billing: BillingView | null;
  readonly deliveries: readonly EventView[];
}>()({
  type: 'object',
  title: 'BillingAnswer',
  properties: {
    billing,
    deliveries: { type: 'array', description: 'The newest 50', maxItems: 50, items: eventView },
  },
  required: ['billing', 'deliveries'],
});
