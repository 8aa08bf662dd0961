import { actionMembers } from '../../core/accounts/admin/admin-action.ts';
import { receipt } from '../../core/accounts/admin/delete-user.ts';
import { userExport } from '../../core/accounts/admin/export-user.ts';
import { isUserNotFound } from '../../core/accounts/admin/find-user.ts';
import { shownUser } from '../../core/accounts/admin/show-user.ts';
import { listUserActions, runUserAction } from '../../core/accounts/admin/user-actions.ts';
import type { ErrorCode } from '../../core/error-codes.ts';
import { type Accounts, invalid } from '../../core/index.ts';
import { flag, object, text } from '../../core/schema.ts';
import { ok } from '../http/response-body.ts';
import type { AnswerDoc, AnyRoute } from '../http/route.ts';
import { actionBody, makeActionRoute } from './route-builders.ts';

/** Accepts no email in place of the id, since paths appear in the logs of proxies. */
const PATH_USER_ID = text({
  pattern: '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  description: 'The user’s id',
  examples: ['0199a0b1-5c3e-7d42-9f10-6b2c8e4a7d31'],
});

export const userParams = object({ userId: PATH_USER_ID });

export const userMissing = { description: 'There is no such user.', errors: ['user_not_found'] } as const;

const actionAnswer = object(
  {
    changed: flag({
      description: 'False if the user was in this state already; then nothing is written',
      examples: [true],
    }),
    user: shownUser,
  },
  { title: 'Acted' },
);

/** The 409 of an action. */
const conflict = (...errors: readonly ErrorCode[]): Pick<AnswerDoc, 'description' | 'errors'> => ({
  description: 'The user was changed since they were shown, or a rule forbids the action.',
  errors: ['changed_meanwhile', ...errors],
});

/** The actions of the core's table that have a form for the console. The response shows the user after the action. */
const tableRoutes = (accounts: Accounts): readonly AnyRoute[] =>
  listUserActions().flatMap(([name, { console: form, role = 'dev', allowsSelf = true }]) => {
    if (form === undefined) return [];
    const { method = 'POST', path, summary, params, body = actionBody, example, inputOf } = form;
    const { invalid: invalids = [], missing = userMissing, conflicts = [], throttled } = form;
    return makeActionRoute(accounts)({
      method,
      path: `/api/admin/users/{userId}/${path}`,
      summary,
      role,
      params: object({ userId: PATH_USER_ID, ...params }),
      body,
      ...(example !== undefined && { example: { body: example } }),
      answers: {
        200: { description: 'The user as they are now.', schema: actionAnswer },
        400: { description: 'A member is wrong.', errors: invalids },
        404: missing,
        // An action that operators may not take on themselves is also refused if it would remove the last founder.
        409: conflict(...(allowsSelf ? [] : (['own_account', 'last_founder'] as const)), ...conflicts),
        ...(throttled !== undefined && {
          429: { description: 'Too many mails went to the address.', errors: throttled },
        }),
      },
      run: async ({ params: { userId, ...others }, body }, by) => {
        const input = inputOf?.(body, others);
        const { changed } = await runUserAction(accounts.operate, name, userId, input, by);
        return ok({ changed, user: await accounts.operate.showUser(userId) });
      },
    });
  });

const deleteBody = object({
  ...actionMembers,
  email: text({
    maxLength: 1_000,
    description: 'The user’s email once more, typed by the operator',
    examples: ['ada@example.com'],
  }),
});

/** Actions of founders that are not in the core's table, since their responses differ. */
const founderRoutes = (accounts: Accounts): readonly AnyRoute[] => {
  const { operate } = accounts;
  const actionRoute = makeActionRoute(accounts);

  /** Requires that the email, in any spelling, is that of the user. Otherwise throws `invalid` (`email_differs`). */
  const requireEmail = async (id: string, email: string): Promise<void> => {
    const user = await operate.findUser(id);
    const userByEmail = await operate.findUser(email).catch((error: unknown) => {
      if (isUserNotFound(error)) return undefined;
      throw error;
    });
    // `findUser` accepts an id as well, but an id in place of the email confirms nothing.
    if (userByEmail?.id !== user.id || email === user.id)
      throw invalid('email_differs', 'This is not the email of the user.');
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
        200: { description: 'The deleted data, and the tasks that remain.', schema: object({ receipt }) },
        400: { description: 'A member is wrong.', errors: ['email_differs'] },
        404: userMissing,
        409: conflict('own_account', 'last_founder'),
      },
      run: async ({ params: { userId }, body }, by) => {
        await requireEmail(userId, body.email);
        return ok({ receipt: await operate.deleteUser(userId, by) });
      },
    }),
  ];
};

export const userActionRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  ...tableRoutes(accounts),
  ...founderRoutes(accounts),
];
