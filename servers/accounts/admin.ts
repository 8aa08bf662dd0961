import { listUsersInput, userList, userStats } from '../../core/accounts/admin/list-and-count-users.ts';
import { setUserEntitlementInput } from '../../core/accounts/admin/set-user-entitlement.ts';
import { entitlementAnswer } from '../../core/accounts/entitlement.ts';
import type { Accounts, Principal } from '../../core/index.ts';
import { object, text } from '../../core/schema.ts';
import { ok } from '../http/response-body.ts';
import { type AnyRoute, type Route, route } from '../http/route.ts';
import { staleResponse } from './proof-responses.ts';

const userParams = object({
  userId: text({
    description: 'The user whose entitlement changes',
    examples: ['0199a0b1-5c3e-7d42-9f10-6b2c8e4a7d31'],
  }),
});

/** A route for operators. A call with the internal secret has no user. */
const forOperators = <Body, Query, Params, Output>(
  options: Omit<Route<Body, Query, Params, Principal | undefined, Output>, 'access' | 'bucket'>,
): AnyRoute => route({ ...options, access: 'operator', bucket: 'default' });

const listAnswers = {
  200: { description: 'A page of users.', schema: userList },
  400: { description: 'A filter is wrong.', errors: ['invalid_cursor', 'invalid_email', 'unknown_tier'] },
} as const;

const OPERATORS_ONLY = {
  description: 'Only for operators.',
  errors: ['operators_only', 'second_factor_required'],
} as const;

/** For operators and internal callers: spec section 4.1, admin. */
export const adminRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  forOperators({
    method: 'GET',
    path: '/api/admin/users',
    summary: 'List all accounts, newest first',
    query: listUsersInput,
    example: { query: { page: 1, limit: 50 } },
    answers: { ...listAnswers, 403: OPERATORS_ONLY },
    run: async ({ query }) => ok(await accounts.listUsers(query)),
  }),
  forOperators({
    method: 'POST',
    path: '/api/admin/users/search',
    summary: 'The same list, with the filters in the body, so that no log shows an email',
    body: listUsersInput,
    example: { body: { email: 'ada@example.com' } },
    answers: { ...listAnswers, 403: OPERATORS_ONLY },
    run: async ({ body }) => ok(await accounts.listUsers(body)),
  }),
  forOperators({
    method: 'GET',
    path: '/api/admin/users/stats',
    summary: 'Count all accounts, premium and free',
    answers: { 200: { description: 'The counts.', schema: userStats }, 403: OPERATORS_ONLY },
    run: async () => ok(await accounts.userStats()),
  }),
  forOperators({
    method: 'PATCH',
    path: '/api/admin/users/{userId}',
    summary: 'Create or change a user’s entitlement',
    params: userParams,
    body: setUserEntitlementInput,
    example: { body: { service: 'DROP', tier: 'pro' } },
    answers: {
      200: { description: 'The entitlement as it is in effect.', schema: entitlementAnswer },
      400: {
        description: 'A field is wrong.',
        errors: [
          'unsupported_service',
          'unknown_tier',
          'invalid_limit',
          'object_too_large',
          'invalid_reason',
        ],
      },
      403: staleResponse(...OPERATORS_ONLY.errors, 'operator_flags_protected'),
      404: { description: 'There is no such user.', errors: ['user_not_found'] },
      409: {
        description:
          'Operators do not change their own role, and at least one founder must remain who can enter the console.',
        errors: ['own_account', 'last_founder'],
      },
    },
    run: async ({ body, params, principal, caller }) =>
      ok(await accounts.setUserEntitlement(principal, params.userId, body, caller)),
  }),
];
