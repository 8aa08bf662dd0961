import type { Pages } from '../base/load-area.ts';
import { Jobs } from './installation/jobs.tsx';
import { Keys } from './installation/keys.tsx';

export const pages: Pages = { '/jobs': Jobs, '/keys': Keys };
