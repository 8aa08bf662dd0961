import { actionMembers } from '../../core/accounts/admin/admin-action.ts';
import { receipt } from '../../core/accounts/admin/delete-user.ts';
import { userExport } from '../../core/accounts/admin/export-user.ts';
import { type Accounts, invalid } from '../../core/index.ts';
import { object, text } from '../../core/schema.ts';
import { ok } from '../http/response-body.ts';
import type { AnyRoute } from '../http/route.ts';
import { actionBody, makeActionRoute } from './route-builders.ts';
import { conflict, userActionRoutes, userMissing, userParams } from './user-action-routes.ts';

const deleteBody = object({
  ...actionMembers,
  email: text({
    maxLength: 1_000,
    description: 'The user’s email once more, typed by the operator',
    examples: ['ada@example.com'],
  }),
});

const deleted = object({ receipt });

/** Actions of founders on users. */
export const founderActionRoutes = (accounts: Accounts): readonly AnyRoute[] => {
  const { operate } = accounts;
  const actionRoute = makeActionRoute(accounts);

  /** Throws `invalid` (`email_differs`) where the email is not the user's. */
  const needEmail = async (id: string, email: string): Promise<void> => {
    const user = await operate.findUser(id);
    const userByEmail = await operate.findUser(email).catch(() => undefined);
    if (userByEmail?.id !== user.id) throw invalid('email_differs', 'This is not the email of the user.');
  };

  return [
    actionRoute({
      method: 'POST',
      path: '/api/admin/users/{userId}/export',
      summary: 'Download everything that is stored about a user',
      role: 'founder',
      params: userParams,
      body: actionBody,
      example: { body: { reason: 'Asked for by mail' } },
      answers: {
        200: {
          description: 'One JSON document, as `gatehouse users export` writes it.',
          schema: userExport,
          headers: { 'Content-Disposition': 'A file, named after the user’s id' },
        },
        404: userMissing,
        409: conflict(),
      },
      run: async ({ params: { userId } }, by) => ({
        ...ok(await operate.exportUser(userId, by)),
        headers: { 'Content-Disposition': `attachment; filename="user-${userId}.json"` },
      }),
    }),
    actionRoute({
      method: 'POST',
      path: '/api/admin/users/{userId}/delete',
      summary: 'Delete a user',
      role: 'founder',
      params: userParams,
      body: deleteBody,
      example: { body: { reason: 'Asked for by mail', email: 'ada@example.com' } },
      answers: {
        200: { description: 'The deleted data, and the tasks that remain.', schema: deleted },
        400: { description: 'A member is wrong.', errors: ['email_differs'] },
        404: userMissing,
        409: conflict('own_account', 'last_founder'),
      },
      run: async ({ params: { userId }, body }, by) => {
        await needEmail(userId, body.email);
        return ok({ receipt: await operate.deleteUser(userId, by) });
      },
    }),
    ...userActionRoutes(accounts, 'founder'),
  ];
};
