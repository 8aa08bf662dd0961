import type { Pages } from '../base/parts.ts';
import { Audit } from './logs/audit.tsx';

export const pages: Pages = { '/audit': Audit };
