import type { Pages } from '../../base/areas.ts';
import { SecurityPage } from '../security/security-page.tsx';

export const pages: Pages = {
  '/account/security': SecurityPage,
};
