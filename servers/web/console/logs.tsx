import type { Pages } from '../base/load-area.ts';
import { Deliveries } from './logs/deliveries.tsx';
import { Mails } from './logs/mails.tsx';

export const pages: Pages = {
  '/mails': Mails,
  '/deliveries': Deliveries,
};
