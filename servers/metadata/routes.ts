import type { Files } from '../../core/index.ts';
import type { AnyRoute } from '../http/route.ts';
import { cacheRoutes } from './cache.ts';
import { dataKeyRoutes } from './data-keys.ts';
import { recordRoutes } from './records.ts';

/** Every endpoint of the metadata service but its health. */
export const metadataRoutes = (files: Files): readonly AnyRoute[] => [
  ...recordRoutes(files),
  ...dataKeyRoutes(files),
  ...cacheRoutes(files),
];
