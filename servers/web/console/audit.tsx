import type { Pages } from '../base/areas.ts';
import { Audit } from './logs/audit.tsx';

export const pages: Pages = { '/audit': Audit };
