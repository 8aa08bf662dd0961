import type { HealthView } from '../../core/index.ts';
import { healthView } from '../../core/installation-health.ts';
import { ok } from '../http/response-body.ts';
import type { AnyRoute } from '../http/route.ts';
import { view } from './route-builders.ts';

export type ShowHealth = () => Promise<HealthView>;

/** How the installation is. */
export const healthViewRoutes = (showHealth: ShowHealth): readonly AnyRoute[] => [
  view({
    path: '/api/admin/health',
    summary: 'Show the installation’s dependencies, its background jobs, and its backlogs',
    answers: { 200: { description: 'The state of the installation.', schema: healthView } },
    run: async () => ok(await showHealth()),
  }),
];
