import type { Pages } from '../base/areas.ts';
import { Deliveries } from './logs/deliveries.tsx';
import { Jobs } from './logs/jobs.tsx';
import { Keys } from './logs/keys.tsx';
import { Mails } from './logs/mails.tsx';

export const pages: Pages = {
  '/mails': Mails,
  '/deliveries': Deliveries,
  '/jobs': Jobs,
  '/keys': Keys,
};
