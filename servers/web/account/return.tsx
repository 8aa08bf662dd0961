import type { Pages } from '../base/parts.ts';
import { ReturnPage } from './landing/return.tsx';

export const pages: Pages = { '/account/return': ReturnPage };
