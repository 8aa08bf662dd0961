import type { Pages } from '../parts.ts';
import { Audit } from './logs/audit.tsx';
import { Deliveries } from './logs/deliveries.tsx';
import { Jobs } from './logs/jobs.tsx';
import { Keys } from './logs/keys.tsx';
import { Mails } from './logs/mails.tsx';

export const pages: Pages = {
  '/audit': Audit,
  '/mails': Mails,
  '/deliveries': Deliveries,
  '/jobs': Jobs,
  '/keys': Keys,
};
