import type { Pages } from '../base/areas.ts';
import { DomainPage } from './billing/domain.tsx';
import { PlanPage } from './billing/plan.tsx';

export const pages: Pages = {
  '/account/plan': PlanPage,
  '/account/domain': DomainPage,
};
