import { eventView, listEventsInput } from '../../core/billing/list-events.ts';
import type { Accounts, Billing } from '../../core/index.ts';
import { NEXT_CURSOR } from '../../core/pagination.ts';
import { list, object, text } from '../../core/schema.ts';
import { ok } from '../http/response-body.ts';
import type { AnyRoute } from '../http/route.ts';
import { actionBody, EMAILS, makeActionRoute, retried, viewRoute } from './route-builders.ts';

const deliveryPage = object(
  { deliveries: list(eventView), emails: EMAILS, cursor: NEXT_CURSOR },
  { title: 'DeliveryPage' },
);

const deliveryParams = object({
  id: text({ maxLength: 512, description: 'The `webhook-id`', examples: ['msg_1'] }),
});

/** Lists the payment provider's deliveries, and applies a failed one again. */
export const deliveryRoutes = (accounts: Accounts, { operate }: Billing): readonly AnyRoute[] => [
  viewRoute({
    path: '/api/admin/deliveries',
    summary: 'List deliveries of the payment provider, newest first',
    query: listEventsInput,
    example: { query: { standing: 'dead' } },
    answers: {
      200: { description: 'A page of deliveries.', schema: deliveryPage },
      400: { description: 'The cursor is wrong.', errors: ['invalid_cursor'] },
    },
    run: async ({ query }) => {
      const { events, ...page } = await operate.listEvents(query);
      const emails = await accounts.operate.findEmails(events.map(({ userId }) => userId));
      return ok({ deliveries: events, emails, ...page });
    },
  }),
  makeActionRoute(accounts)({
    method: 'POST',
    path: '/api/admin/deliveries/{id}/replay',
    summary: 'Retry a delivery that could not be applied',
    params: deliveryParams,
    body: actionBody,
    example: { body: { reason: 'The product is mapped to a plan now' } },
    answers: {
      200: {
        description: 'The delivery is attempted again, if it waited or had failed for good.',
        schema: retried,
      },
      404: { description: 'There is no such delivery.', errors: ['event_not_found'] },
    },
    run: async ({ params: { id } }, by) => {
      // `recordStart` writes an audit row before the first effect; the row at the end holds `after`.
      const replay = async (recordStart: () => Promise<void>) => {
        const { replayed, left } = await operate.replay(id, recordStart);
        return { answer: replayed, after: { replayed, left } };
      };
      const target = `delivery:${id}`;
      const work = { name: 'billing.replay', done: 'billing.replayed', target, run: replay };
      return ok({ count: await accounts.operate.recordWork(work, by) });
    },
  }),
];
