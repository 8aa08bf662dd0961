import type { Pages } from '../../base/load-area.ts';
import { DomainPage } from '../billing/custom-domain.tsx';
import { SetupPage } from '../security/set-up-two-factor.tsx';

/** What is set up in an authenticator app or in DNS, with texts to copy. */
export const pages: Pages = {
  '/account/security/two-factor': SetupPage,
  '/account/domain': DomainPage,
};
