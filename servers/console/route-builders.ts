import { adminActionInput } from '../../core/accounts/admin/admin-action.ts';
import type { Accounts, AdminActionInput, Operator, OperatorRole, Principal } from '../../core/index.ts';
import { anyObject, object, type Schema, size } from '../../core/schema.ts';
import { staleResponse } from '../accounts/proof-responses.ts';
import type { ResponseBody } from '../http/response-body.ts';
import { type AnyRoute, type Call, type Route, route } from '../http/route.ts';

/** A read-only route for operators. */
export const viewRoute = <Query, Params, Output>(
  options: Omit<Route<undefined, Query, Params, Principal, Output>, 'access' | 'bucket' | 'method'>,
): AnyRoute => route({ ...options, method: 'GET', access: 'console', bucket: 'default' });

/** The member `emails` of a response that names users by id. */
export const EMAILS = anyObject({
  description: 'The emails of the users that the list names, by id; none of deleted users',
  examples: [{ '0199a0b1-5c3e-7d42-9f10-6b2c8e4a7d31': 'ada@example.com' }],
}) as Schema<Readonly<Record<string, string>>>;

/** The body of an action that has only the common members. */
export const actionBody = adminActionInput;

/** The answer of an action that tries mails or deliveries again. */
export const retried = object(
  { count: size({ examples: [1], description: 'How many are tried again' }) },
  { title: 'Retried' },
);

interface ActionRoute<Body extends AdminActionInput, Params, Output>
  extends Omit<Route<Body, undefined, Params, Principal, Output>, 'access' | 'bucket' | 'run' | 'query'> {
  /** The lowest role that may perform the action; `dev` when absent. */
  readonly role?: OperatorRole;
  /** `by` is the calling operator. Their role and fresh proof have been checked. */
  run(call: Call<Body, undefined, Params, Principal>, by: Operator): Promise<ResponseBody<Output>>;
}

/** A route of an operator's action. */
export const makeActionRoute =
  (accounts: Accounts) =>
  <Body extends AdminActionInput, Params, Output>({
    role = 'dev',
    run,
    answers,
    ...options
  }: ActionRoute<Body, Params, Output>): AnyRoute =>
    route({
      ...options,
      access: 'console',
      bucket: 'acts',
      answers: {
        ...answers,
        400: {
          description: 'A member is wrong.',
          ...answers[400],
          errors: ['invalid_reason', ...(answers[400]?.errors ?? [])],
        },
        // The common refusal of a stale proof, with further codes of this route.
        403: staleResponse('operators_only', ...(answers[403]?.errors ?? [])),
      },
      run: async (call) =>
        run(call, await accounts.console.operator(call.principal, role, call.body, call.caller)),
    });
