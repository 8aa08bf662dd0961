import type { Files, InvalidateInput, PrefetchInput, SyncCacheInput } from '../../core/index.ts';
import { ok } from '../http/response-body.ts';
import { type AnyRoute, internal } from '../http/route.ts';
import { schemaOf } from '../http/schema.ts';
import { user } from './fields.ts';
import { invalidatedResponse, prefetchedResponse, syncedResponse } from './responses.ts';

const syncBody = schemaOf<SyncCacheInput>()({
  type: 'object',
  properties: {
    user,
    type: {
      type: 'string',
      enum: ['allOne', 'allTwo', 'mostOne', 'mostTwo'],
      description: 'All files or the active ones; all or nothing, or as many as fit',
    },
  },
  required: ['user', 'type'],
});

const prefetchBody = schemaOf<PrefetchInput>()({
  type: 'object',
  properties: {
    user,
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: 10_000,
      description: 'The most files to cache',
      examples: [100],
    },
  },
  required: ['user', 'limit'],
});

const invalidateBody = schemaOf<InvalidateInput>()({
  type: 'object',
  properties: {
    user,
    type: { type: 'string', enum: ['OUT', 'DEL'], description: 'From the cache alone, or the records too' },
  },
  required: ['user', 'type'],
});

const UNKNOWN = { description: 'The user has neither an account nor a file.', errors: ['user_not_found'] };
const DOWN = { description: 'The cache is down.', errors: ['cache_unavailable'] };

/** Experimental operations on the cache: spec section 4.2. */
export const cacheRoutes = (files: Files): readonly AnyRoute[] => [
  internal({
    method: 'POST',
    path: '/api/v1/e/meta/sync',
    summary: 'Copy a user’s records into the cache for a day',
    body: syncBody,
    answers: {
      200: { description: 'How many entries were written, and how many were not.', schema: syncedResponse },
      400: { description: 'They would take too much; nothing was written.', errors: ['limit_exceeded'] },
      404: UNKNOWN,
      503: DOWN,
    },
    run: async ({ body }) => ok(await files.syncCache(body)),
  }),
  internal({
    method: 'POST',
    path: '/api/v1/e/meta/prefetch',
    summary: 'Cache a user’s most active files for a day',
    body: prefetchBody,
    answers: {
      200: { description: 'How many entries were cached.', schema: prefetchedResponse },
      404: UNKNOWN,
      503: DOWN,
    },
    run: async ({ body }) => ok(await files.prefetch(body)),
  }),
  internal({
    method: 'POST',
    path: '/api/v1/e/meta/invalidate',
    summary: 'Take a user’s entries out of the cache, or the records with them',
    body: invalidateBody,
    answers: {
      200: { description: 'How many entries, or records, were removed.', schema: invalidatedResponse },
      404: UNKNOWN,
      503: DOWN,
    },
    run: async ({ body }) => ok(await files.invalidate(body)),
  }),
];
