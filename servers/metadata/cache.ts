import {
  invalidateInput,
  invalidateResult,
  prefetchInput,
  prefetchResult,
  syncCacheInput,
  syncCacheResult,
} from '../../core/files/manage-cache.ts';
import type { Files } from '../../core/index.ts';
import { ok } from '../http/response-body.ts';
import { type AnyRoute, internal } from '../http/route.ts';

const USER_NOT_FOUND = {
  description: 'The user has neither an account nor a file.',
  errors: ['user_not_found'],
} as const;
const CACHE_DOWN = { description: 'The cache is down.', errors: ['cache_unavailable'] } as const;

/** Experimental operations on the cache: spec section 4.2. */
export const cacheRoutes = (files: Files): readonly AnyRoute[] => [
  internal({
    method: 'POST',
    path: '/api/v1/e/meta/sync',
    summary: 'Copy a user’s records into the cache for a day',
    body: syncCacheInput,
    answers: {
      200: { description: 'How many entries were written, and how many were not.', schema: syncCacheResult },
      400: {
        description: 'The records would take too much room; nothing was written.',
        errors: ['limit_exceeded'],
      },
      404: USER_NOT_FOUND,
      503: CACHE_DOWN,
    },
    run: async ({ body }) => ok(await files.syncCache(body)),
  }),
  internal({
    method: 'POST',
    path: '/api/v1/e/meta/prefetch',
    summary: 'Cache a user’s most active files for a day',
    body: prefetchInput,
    answers: {
      200: { description: 'How many entries were cached.', schema: prefetchResult },
      404: USER_NOT_FOUND,
      503: CACHE_DOWN,
    },
    run: async ({ body }) => ok(await files.prefetch(body)),
  }),
  internal({
    method: 'POST',
    path: '/api/v1/e/meta/invalidate',
    summary: 'Remove a user’s entries from the cache, or the records with them',
    body: invalidateInput,
    answers: {
      200: { description: 'How many entries, or records, were removed.', schema: invalidateResult },
      404: USER_NOT_FOUND,
      503: CACHE_DOWN,
    },
    run: async ({ body }) => ok(await files.invalidate(body)),
  }),
];
