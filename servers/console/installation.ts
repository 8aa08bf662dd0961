import { DAYS } from '../../core/accounts/admin/take-statistics.ts';
import { dayStatistics } from '../../core/daily-statistics.ts';
import type { Accounts, HealthView } from '../../core/index.ts';
import { healthView } from '../../core/installation-health.ts';
import { type ShownKey, shownKey } from '../../core/key-status.ts';
import { anyObject, list, object, optional, size } from '../../core/schema.ts';
import { ok } from '../http/response-body.ts';
import type { AnyRoute } from '../http/route.ts';
import { viewRoute } from './route-builders.ts';

export interface Installation {
  readonly health: () => Promise<HealthView>;
  readonly keys: () => Promise<readonly ShownKey[]>;
}

const COUNT = size({ examples: [400] });

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
      { title: 'UserTotals', description: 'The counts now; with many users they may be a minute old' },
    ),
    days: list(dayStatistics, { description: 'Days without data are left out' }),
  },
  { title: 'Statistics' },
);

const shownKeys = object({ keys: list(shownKey) }, { title: 'Keys' });

/** Reports on the installation. Keys are rotated at the command line, since a rotation writes key files. */
export const installationRoutes = (
  { operate }: Accounts,
  { health, keys }: Installation,
): readonly AnyRoute[] => [
  viewRoute({
    path: '/api/admin/health',
    summary: 'Show the installation’s dependencies, its background jobs, and its backlogs',
    answers: { 200: { description: 'The state of the installation.', schema: healthView } },
    run: async () => ok(await health()),
  }),
  viewRoute({
    path: '/api/admin/statistics',
    summary: 'Show the statistics of the last days, the oldest first',
    query: object({ days: optional(DAYS) }),
    answers: { 200: { description: 'The statistics.', schema: statistics } },
    run: async ({ query: { days = 30 } }) => {
      // `stats` also counts premium users, which this response leaves out.
      const [{ premium: _, ...users }, byDay] = await Promise.all([
        operate.stats(),
        operate.statistics({ days }),
      ]);
      return ok({ users, days: byDay });
    },
  }),
  viewRoute({
    path: '/api/admin/keys',
    summary: 'List the signing and master keys, with the number of values that each master key sealed',
    answers: { 200: { description: 'The keys.', schema: shownKeys } },
    run: async () => ok({ keys: await keys() }),
  }),
];
