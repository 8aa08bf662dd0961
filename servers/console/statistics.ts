import { DAYS } from '../../core/accounts/admin/take-statistics.ts';
import { dayStatistics } from '../../core/daily-statistics.ts';
import type { Accounts } from '../../core/index.ts';
import { anyObject, list, object, optional, size } from '../../core/schema.ts';
import { ok } from '../http/response-body.ts';
import type { AnyRoute } from '../http/route.ts';
import { view } from './route-builders.ts';

const COUNT = size({ examples: [400] });

const statisticsQuery = object({ days: optional(DAYS) });

const statistics = object(
  {
    users: object(
      {
        total: COUNT,
        byTier: anyObject({
          description: 'All users, by the tier in effect',
          examples: [{ free: 400, pro: 12 }],
        }),
        verified: COUNT,
        twoFactor: COUNT,
        banned: COUNT,
        disabled: COUNT,
      },
      { title: 'UserTotals', description: 'As they are now; of many users up to a minute old' },
    ),
    days: list(dayStatistics, { description: 'Days without data are left out' }),
  },
  { title: 'Statistics' },
);

/** The statistics of the last days. */
export const statisticsRoutes = ({ operate }: Accounts): readonly AnyRoute[] => [
  view({
    path: '/api/admin/statistics',
    summary: 'Show the statistics of the last days, the oldest first',
    query: statisticsQuery,
    answers: { 200: { description: 'The statistics.', schema: statistics } },
    run: async ({ query: { days = 30 } }) => {
      const [{ premium: _, ...users }, counted] = await Promise.all([
        operate.stats(),
        operate.statistics({ days }),
      ]);
      return ok({ users, days: counted });
    },
  }),
];
