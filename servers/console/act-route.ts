import type { Accounts, Identity, Operator, OperatorRole, SaidOfAct } from '../../core/index.ts';
import { staleAnswer } from '../accounts/answers/fresh.ts';
import type { Answer } from '../http/answer.ts';
import { type AnyRoute, type Call, type Route, route } from '../http/route.ts';
import { type StringSchema, schemaOf } from '../http/schema.ts';

/** A route that shows something to operators. */
export const view = <Query, Params, Output>(
  given: Omit<Route<undefined, Query, Params, Identity, Output>, 'access' | 'bucket' | 'method'>,
): AnyRoute => route({ ...given, method: 'GET', access: 'console', bucket: 'default' });

/** The members that the body of every act has. */
export const said = {
  reason: {
    type: 'string',
    minLength: 1,
    // Characters of two code units count once: the core counts them.
    maxLength: 1_000,
    description: 'Why, in 1 to 500 characters: the audit log keeps it',
    examples: ['Asked for by mail'],
  },
  seen: {
    type: 'string',
    maxLength: 64,
    description:
      'The user’s `updatedAt` as the page showed it: a user who was changed since then is left alone',
    examples: ['2026-11-20T09:14:00.000Z'],
  },
} as const satisfies Readonly<Record<string, StringSchema>>;

/** The body of an act that needs no more. */
export const actBody = schemaOf<SaidOfAct>()({ type: 'object', properties: said, required: ['reason'] });

interface Act<Body extends SaidOfAct, Params, Output>
  extends Omit<Route<Body, undefined, Params, Identity, Output>, 'access' | 'bucket' | 'run' | 'query'> {
  /** The least role that may do it; `dev` when absent. */
  readonly role?: OperatorRole;
  /** `by` is the caller, who proved lately who they are. */
  run(call: Call<Body, undefined, Params, Identity>, by: Operator): Promise<Answer<Output>>;
}

/** A route by which operators do something. */
export const makeActRoute =
  (accounts: Accounts) =>
  <Body extends SaidOfAct, Params, Output>({
    role = 'dev',
    run,
    answers,
    ...given
  }: Act<Body, Params, Output>): AnyRoute =>
    route({
      ...given,
      access: 'console',
      bucket: 'acts',
      answers: {
        ...answers,
        400: {
          description: 'A member is wrong.',
          ...answers[400],
          errors: ['invalid_reason', ...(answers[400]?.errors ?? [])],
        },
        403: staleAnswer('operators_only', ...(answers[403]?.errors ?? [])),
      },
      run: async (call) => run(call, await accounts.console.operator(call.who, role, call.body, call.caller)),
    });
