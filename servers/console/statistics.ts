import type { Accounts } from '../../core/index.ts';
import { ok } from '../http/response-body.ts';
import type { AnyRoute } from '../http/route.ts';
import { schemaOf } from '../http/schema.ts';
import { view } from './act-route.ts';
import { statisticsResponse } from './responses/statistics.ts';

const statisticsQuery = schemaOf<{ readonly days?: number }>()({
  type: 'object',
  properties: {
    days: {
      type: 'integer',
      minimum: 1,
      maximum: 400,
      description: 'How many days, today among them; 30 when absent',
      examples: [30],
    },
  },
});

/** The statistics of the last days. */
export const statisticsRoutes = ({ operate }: Accounts): readonly AnyRoute[] => [
  view({
    path: '/api/admin/statistics',
    summary: 'Show the statistics of the last days, the oldest first',
    query: statisticsQuery,
    answers: { 200: { description: 'The statistics.', schema: statisticsResponse } },
    run: async ({ query: { days = 30 } }) => ok({ days: await operate.statistics({ days }) }),
  }),
];
