import type { Pages } from '../base/load-area.ts';
import { Deliveries } from './deliveries.tsx';
import { Mails } from './mails.tsx';

export const pages: Pages = {
  '/mails': Mails,
  '/deliveries': Deliveries,
};
