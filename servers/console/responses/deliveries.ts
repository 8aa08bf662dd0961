import type { EventView } from '../../../core/index.ts';
import { count, time } from '../../accounts/responses/parts.ts';
import { answerOf, type ObjectSchema } from '../../http/schema.ts';
import { nextCursor } from '../list-fields.ts';
import { text, textOrNull, timeOrNull } from './billing.ts';

export const retriedResponse = answerOf<{ readonly count: number }>()({
  type: 'object',
  title: 'Retried',
  properties: { count: { ...count, description: 'How many are tried again', examples: [1] } },
  required: ['count'],
});

/** A delivery of the payment provider, without its content. */
export const delivery = {
  type: 'object',
  title: 'Delivery',
  properties: {
    id: text('The `webhook-id`', 'msg_1'),
    type: textOrNull('The provider’s name for what happened; null where it is not known', 'order.paid'),
    standing: { type: 'string', enum: ['pending', 'waiting', 'applied', 'ignored', 'dead'] },
    receivedAt: time,
    dueAt: timeOrNull('When it is applied; null unless it is pending', '2026-11-21T18:00:00.000Z'),
    tries: { ...count, examples: [0] },
    lastFailure: textOrNull('Why the last try failed'),
    userId: textOrNull('Whose it is, where that is known', '0199a0b1-5c3e-7d42-9f10-6b2c8e4a7d31'),
  },
  required: ['id', 'type', 'standing', 'receivedAt', 'dueAt', 'tries', 'lastFailure', 'userId'],
} as const satisfies ObjectSchema;

export interface DeliveryPage {
  readonly deliveries: readonly EventView[];
  readonly cursor?: string;
}

export const deliveriesResponse = answerOf<DeliveryPage>()({
  type: 'object',
  title: 'DeliveryPage',
  properties: { deliveries: { type: 'array', items: delivery }, cursor: nextCursor },
  required: ['deliveries'],
});
