import type { Pages } from '../../base/load-area.ts';
import { SecurityPage } from '../security/security-page.tsx';

export const pages: Pages = {
  '/account/security': SecurityPage,
};
