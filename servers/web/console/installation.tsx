import type { Pages } from '../base/load-area.ts';
import { Jobs } from './jobs.tsx';
import { Keys } from './keys.tsx';

export const pages: Pages = { '/jobs': Jobs, '/keys': Keys };
