import type { Pages } from '../../base/areas.ts';
import { PlanPage } from '../billing/plan.tsx';

export const pages: Pages = {
  '/account/plan': PlanPage,
};
