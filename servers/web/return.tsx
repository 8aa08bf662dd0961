import { ReturnPage } from './landing/return.tsx';
import type { Pages } from './parts.ts';

export const pages: Pages = { '/account/return': ReturnPage };
