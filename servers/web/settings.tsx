import type { Pages } from './paths.ts';
import { DeletePage } from './settings/delete.tsx';
import { PlanPage } from './settings/plan.tsx';
import { ProfilePage } from './settings/profile.tsx';
import { SecurityPage } from './settings/security.tsx';
import { SessionsPage } from './settings/sessions.tsx';
import { SetupPage } from './settings/setup.tsx';

export const pages: Pages = {
  '/account': ProfilePage,
  '/account/security': SecurityPage,
  '/account/security/two-factor': SetupPage,
  '/account/sessions': SessionsPage,
  '/account/plan': PlanPage,
  '/account/delete': DeletePage,
};
