import type { Pages } from '../../base/areas.ts';
import { ReturnPage } from '../landing/return.tsx';

export const pages: Pages = { '/account/return': ReturnPage };
