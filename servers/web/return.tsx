import { ReturnPage } from './ends/return.tsx';
import type { Pages } from './parts.ts';

export const pages: Pages = { '/account/return': ReturnPage };
