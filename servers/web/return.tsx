import { ReturnPage } from './ends/return.tsx';
import type { Pages } from './paths.ts';

export const pages: Pages = { '/account/return': ReturnPage };
