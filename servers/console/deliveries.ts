import type { Accounts, Billing, ListEventsInput } from '../../core/index.ts';
import { ok } from '../http/response-body.ts';
import type { AnyRoute } from '../http/route.ts';
import { schemaOf } from '../http/schema.ts';
import { actBody, makeActRoute, view } from './act-route.ts';
import { cursor, limit } from './list-fields.ts';
import { deliveriesResponse, retriedResponse } from './responses/deliveries.ts';

const query = schemaOf<ListEventsInput>()({
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
      200: { description: 'A page of deliveries.', schema: deliveriesResponse },
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
      200: {
        description: 'The delivery is attempted again, if it waited or had failed for good.',
        schema: retriedResponse,
      },
      404: { description: 'There is no such delivery.', errors: ['event_not_found'] },
    },
    run: async ({ params: { id } }, by) => {
      const run = async (begin: () => Promise<void>) => {
        const { replayed, left } = await operate.replay(id, begin);
        return { answer: replayed, after: { replayed, left } };
      };
      const work = { name: 'billing.replay', done: 'billing.replayed', target: `delivery:${id}`, run };
      return ok({ count: await accounts.operate.recordWork(work, by) });
    },
  }),
];
