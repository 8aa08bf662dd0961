import type { Files } from '../../core/index.ts';
import { type AnyRoute, tagged } from '../http/route.ts';
import { cacheRoutes } from './cache.ts';
import { dataKeyRoutes } from './data-keys.ts';
import { recordRoutes } from './records.ts';

/** All endpoints of the metadata service except health and reference. */
export const metadataRoutes = (files: Files): readonly AnyRoute[] => [
  ...tagged('File records', recordRoutes(files)),
  ...tagged('Data keys', dataKeyRoutes(files)),
  ...tagged('The cache, experimental', cacheRoutes(files)),
];
