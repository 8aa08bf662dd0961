import type { Accounts, AdminActInput, AdminActionResult, Operator, OperatorRole } from '../../core/index.ts';
import { object, type Schema, text } from '../../core/schema.ts';
import { ok } from '../http/response-body.ts';
import type { AnswerDoc, AnyRoute, Example } from '../http/route.ts';
import { makeActRoute } from './act-route.ts';
import { actedResponse } from './responses/user.ts';

/** Only ids of this product: an email would appear in the logs of proxies. */
export const PATH_USER_ID = text({
  pattern: '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  description: 'Of the user',
  examples: ['0199a0b1-5c3e-7d42-9f10-6b2c8e4a7d31'],
});

export const userParams = object({ userId: PATH_USER_ID });

export const userMissing = { description: 'There is no such user.', errors: ['user_not_found'] } as const;

/** The 409 of an act. */
export const conflict = (...errors: readonly string[]) => ({
  description: 'The user was changed since they were shown, or a rule forbids the act.',
  errors: ['changed_meanwhile', ...errors],
});

/** An operator who says why, as every body of an act does. */
export type Reasoned = Operator & { readonly reason: string };

interface UserAct<Body extends AdminActInput> {
  readonly method?: 'POST' | 'PUT' | 'DELETE';
  /** The path after that of the user. */
  readonly path: string;
  readonly summary: string;
  readonly role?: OperatorRole;
  readonly body: Schema<Body>;
  readonly example?: Example<Body, undefined>;
  /** The act's own codes of 400 and 409. */
  readonly invalid?: readonly string[];
  readonly conflicts?: readonly string[];
  /** Further refusals. */
  readonly refusals?: Readonly<Record<number, Omit<AnswerDoc, 'schema'>>>;
  run(id: string, by: Reasoned, body: Body): Promise<AdminActionResult>;
}

/** Makes routes of acts on one user. The response shows the user after the act. */
export const makeUserAct =
  (accounts: Accounts) =>
  <Body extends AdminActInput>({
    method = 'POST',
    path,
    invalid = [],
    conflicts = [],
    refusals,
    run,
    ...options
  }: UserAct<Body>): AnyRoute =>
    makeActRoute(accounts)({
      ...options,
      method,
      path: `/api/admin/users/{userId}/${path}`,
      params: userParams,
      answers: {
        200: { description: 'The user as they are now.', schema: actedResponse },
        400: { description: 'A member is wrong.', errors: invalid },
        404: userMissing,
        409: conflict(...conflicts),
        ...refusals,
      },
      run: async ({ params, body }, by) => {
        const { changed } = await run(params.userId, { ...by, reason: body.reason }, body);
        return ok({ changed, user: await accounts.operate.showUser(params.userId) });
      },
    });
