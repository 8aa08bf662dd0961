import { DomainPage } from './billing/domain.tsx';
import { PlanPage } from './billing/plan.tsx';
import type { Pages } from './paths.ts';

export const pages: Pages = {
  '/account/plan': PlanPage,
  '/account/domain': DomainPage,
};
