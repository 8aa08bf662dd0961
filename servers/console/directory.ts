import { directoryPage, listDirectoryInput } from '../../core/accounts/admin/list-directory.ts';
import type { Accounts } from '../../core/index.ts';
import { ok } from '../http/response-body.ts';
import type { AnyRoute } from '../http/route.ts';
import { view } from './route-builders.ts';

/** All users, by the beginning of their email, else newest first. */
export const directoryRoutes = ({ operate }: Accounts): readonly AnyRoute[] => [
  view({
    path: '/api/admin/directory',
    summary: 'List users by the beginning of their email, else newest first',
    query: listDirectoryInput,
    example: { query: { prefix: 'ada' } },
    answers: {
      200: { description: 'A page of users.', schema: directoryPage },
      400: {
        description: 'A filter is wrong.',
        errors: ['invalid_prefix', 'invalid_email', 'unknown_tier', 'invalid_cursor'],
      },
    },
    run: async ({ query }) => ok(await operate.listDirectory(query)),
  }),
];
