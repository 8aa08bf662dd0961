import { DAYS } from '../../core/accounts/admin/take-statistics.ts';
import { dayStatistics } from '../../core/daily-statistics.ts';
import type { Accounts } from '../../core/index.ts';
import { list, object, optional } from '../../core/schema.ts';
import { ok } from '../http/response-body.ts';
import type { AnyRoute } from '../http/route.ts';
import { view } from './action-route.ts';

const statisticsQuery = object({ days: optional(DAYS) });

const statistics = object(
  { days: list(dayStatistics, { description: 'Days without data are left out' }) },
  { title: 'Statistics' },
);

/** The statistics of the last days. */
export const statisticsRoutes = ({ operate }: Accounts): readonly AnyRoute[] => [
  view({
    path: '/api/admin/statistics',
    summary: 'Show the statistics of the last days, the oldest first',
    query: statisticsQuery,
    answers: { 200: { description: 'The statistics.', schema: statistics } },
    run: async ({ query: { days = 30 } }) => ok({ days: await operate.statistics({ days }) }),
  }),
];
