import type { Pages } from '../../base/load-area.ts';
import { ReturnPage } from '../landing/return.tsx';

export const pages: Pages = { '/account/return': ReturnPage };
