import { DomainPage } from './billing/domain.tsx';
import { PlanPage } from './billing/plan.tsx';
import type { Pages } from './parts.ts';

export const pages: Pages = {
  '/account/plan': PlanPage,
  '/account/domain': DomainPage,
};
