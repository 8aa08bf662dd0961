import type { Pages } from '../base/areas.ts';
import { Jobs } from './installation/jobs.tsx';
import { Keys } from './installation/keys.tsx';

export const pages: Pages = { '/jobs': Jobs, '/keys': Keys };
