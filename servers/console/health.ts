import type { HealthView } from '../../core/index.ts';
import { ok } from '../http/answer.ts';
import type { AnyRoute } from '../http/route.ts';
import { view } from './act-route.ts';
import { healthViewAnswer } from './answers/health.ts';

export type ShowHealth = () => Promise<HealthView>;

/** How the installation is. */
export const healthViewRoutes = (showHealth: ShowHealth): readonly AnyRoute[] => [
  view({
    path: '/api/admin/health',
    summary: 'Show what the installation stands on, its background jobs, and what waits',
    answers: { 200: { description: 'How it is.', schema: healthViewAnswer } },
    run: async () => ok(await showHealth()),
  }),
];
