import type { Accounts, Billing, ListEvents } from '../../core/index.ts';
import { ok } from '../http/answer.ts';
import type { AnyRoute } from '../http/route.ts';
import { schemaOf } from '../http/schema.ts';
import { actBody, makeActRoute, view } from './act-route.ts';
import { deliveriesAnswer, retriedAnswer } from './answers/deliveries.ts';
import { cursor, limit } from './list-fields.ts';

const query = schemaOf<ListEvents>()({
  type: 'object',
  properties: {
    standing: {
      type: 'string',
      enum: ['pending', 'waiting', 'applied', 'ignored', 'dead'],
      description: 'How far it was processed; `waiting`: for its customer’s user to become known',
    },
    cursor,
    limit,
  },
});

const deliveryParams = schemaOf<{ readonly id: string }>()({
  type: 'object',
  properties: {
    id: { type: 'string', maxLength: 512, description: 'The `webhook-id`', examples: ['msg_1'] },
  },
  required: ['id'],
});

/** The deliveries of the payment provider. */
export const deliveryRoutes = (accounts: Accounts, { operate }: Billing): readonly AnyRoute[] => [
  view({
    path: '/api/admin/deliveries',
    summary: 'List deliveries of the payment provider, newest first',
    query,
    example: { query: { standing: 'dead' } },
    answers: {
      200: { description: 'A page of deliveries.', schema: deliveriesAnswer },
      400: { description: 'The cursor is wrong.', errors: ['invalid_cursor'] },
    },
    run: async ({ query }) => {
      const { events, ...page } = await operate.listEvents(query);
      return ok({ deliveries: events, ...page });
    },
  }),
  makeActRoute(accounts)({
    method: 'POST',
    path: '/api/admin/deliveries/{id}/replay',
    summary: 'Apply a delivery again that could not be applied',
    params: deliveryParams,
    body: actBody,
    example: { body: { reason: 'The product is mapped to a plan now' } },
    answers: {
      200: { description: 'It was tried again, if it waited or was given up.', schema: retriedAnswer },
      404: { description: 'There is no such delivery.', errors: ['event_not_found'] },
    },
    run: async ({ params }, by) => {
      const { replayed, left } = await operate.replay(params.id);
      await accounts.operate.record('billing.replayed', `delivery:${params.id}`, { replayed, left }, by);
      return ok({ count: replayed });
    },
  }),
];
