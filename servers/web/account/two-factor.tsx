import type { Pages } from '../base/areas.ts';
import { SetupPage } from './security/set-up-two-factor.tsx';

export const pages: Pages = { '/account/security/two-factor': SetupPage };
