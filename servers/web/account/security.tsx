import type { Pages } from '../base/areas.ts';
import { SecurityPage } from './security/page.tsx';
import { SetupPage } from './security/set-up-two-factor.tsx';

export const pages: Pages = {
  '/account/security': SecurityPage,
  '/account/security/two-factor': SetupPage,
};
