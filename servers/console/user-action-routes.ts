import { shownUser } from '../../core/accounts/admin/show-user.ts';
import { listUserActions, runUserAction } from '../../core/accounts/admin/user-actions.ts';
import type { Accounts, OperatorRole } from '../../core/index.ts';
import { flag, object, text } from '../../core/schema.ts';
import { ok } from '../http/response-body.ts';
import type { AnyRoute } from '../http/route.ts';
import { makeActionRoute } from './route-builders.ts';

/** Only ids of this product: an email would appear in the logs of proxies. */
export const PATH_USER_ID = text({
  pattern: '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  description: 'Of the user',
  examples: ['0199a0b1-5c3e-7d42-9f10-6b2c8e4a7d31'],
});

export const userParams = object({ userId: PATH_USER_ID });

export const userMissing = { description: 'There is no such user.', errors: ['user_not_found'] } as const;

/** The answer of an action. */
export const actionAnswer = object(
  {
    changed: flag({
      description: 'False where it was so already; then nothing is written',
      examples: [true],
    }),
    user: shownUser,
  },
  { title: 'Acted' },
);

/** The 409 of an action. */
export const conflict = (...errors: readonly string[]) => ({
  description: 'The user was changed since they were shown, or a rule forbids the action.',
  errors: ['changed_meanwhile', ...errors],
});

/** The actions on one user that need at least this role. The response shows the user after the action. */
export const userActionRoutes = (accounts: Accounts, role: OperatorRole): readonly AnyRoute[] =>
  listUserActions(role).flatMap(([name, { console: form }]) => {
    if (form === undefined) return [];
    const { method, path, summary, body, example, inputOf, invalid = [], conflicts = [], throttled } = form;
    return makeActionRoute(accounts)({
      method,
      path: `/api/admin/users/{userId}/${path}`,
      summary,
      role,
      params: userParams,
      body,
      ...(example !== undefined && { example: { body: example } }),
      answers: {
        200: { description: 'The user as they are now.', schema: actionAnswer },
        400: { description: 'A member is wrong.', errors: invalid },
        404: userMissing,
        409: conflict(...conflicts),
        ...(throttled !== undefined && { 429: throttled }),
      },
      run: async ({ params: { userId }, body }, by) => {
        const { changed } = await runUserAction(accounts.operate, name, userId, inputOf?.(body), by);
        return ok({ changed, user: await accounts.operate.showUser(userId) });
      },
    });
  });
