import { type Accounts, directoryFlags, type ListDirectoryInput } from '../../core/index.ts';
import { ok } from '../http/response-body.ts';
import type { AnyRoute } from '../http/route.ts';
import { schemaOf } from '../http/schema.ts';
import { view } from './act-route.ts';
import { cursor, limit } from './list-fields.ts';
import { directoryResponse } from './responses/directory.ts';

const query = schemaOf<ListDirectoryInput>()({
  type: 'object',
  properties: {
    prefix: {
      type: 'string',
      maxLength: 1_000,
      description:
        'What the email begins with, 2 characters or more: the list is in the order of emails then',
      examples: ['ada'],
    },
    tier: { type: 'string', maxLength: 64, description: 'Only users of this tier' },
    flag: {
      type: 'string',
      enum: directoryFlags,
      description: 'Only users in this state',
    },
    cursor,
    limit,
  },
});

/** All users, by the beginning of their email, else newest first. */
export const directoryRoutes = ({ operate }: Accounts): readonly AnyRoute[] => [
  view({
    path: '/api/admin/directory',
    summary: 'List users by the beginning of their email, else newest first',
    query,
    example: { query: { prefix: 'ada' } },
    answers: {
      200: { description: 'A page of users.', schema: directoryResponse },
      400: {
        description: 'A filter is wrong.',
        errors: ['invalid_prefix', 'invalid_email', 'unknown_tier', 'invalid_cursor'],
      },
    },
    run: async ({ query }) => ok(await operate.listDirectory(query)),
  }),
];
