import type { Pages } from '../../base/load-area.ts';
import { ReturnPage } from '../landing/provider-return.tsx';

export const pages: Pages = { '/account/return': ReturnPage };
