import type { Pages } from '../../base/load-area.ts';
import { PlanPage } from '../billing/plan.tsx';

export const pages: Pages = {
  '/account/plan': PlanPage,
};
