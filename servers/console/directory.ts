import { type Accounts, directoryFlags, type ListDirectory } from '../../core/index.ts';
import { ok } from '../http/answer.ts';
import type { AnyRoute } from '../http/route.ts';
import { schemaOf } from '../http/schema.ts';
import { view } from './act-route.ts';
import { directoryAnswer } from './answers/directory.ts';
import { cursor, limit } from './list-fields.ts';

const query = schemaOf<ListDirectory>()({
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
      description: 'Only users of whom this holds now',
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
      200: { description: 'A page of users.', schema: directoryAnswer },
      400: {
        description: 'A filter is wrong.',
        errors: ['invalid_prefix', 'invalid_email', 'unknown_tier', 'invalid_cursor'],
      },
    },
    run: async ({ query }) => ok(await operate.listDirectory(query)),
  }),
];
