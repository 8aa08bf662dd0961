import type { Accounts } from '../../core/index.ts';
import { ok } from '../http/answer.ts';
import type { AnyRoute } from '../http/route.ts';
import { schemaOf } from '../http/schema.ts';
import { sessionsAnswer, successAnswer } from './answers/account.ts';
import { staleAnswer } from './answers/fresh.ts';
import { signedIn } from './signed-in.ts';

const sessionParams = schemaOf<{ readonly id: string }>()({
  type: 'object',
  properties: {
    id: {
      type: 'string',
      description: 'From the list of sessions',
      examples: ['0199a0b1-77aa-7c01-8e55-2f1b9c3d4e5f'],
    },
  },
  required: ['id'],
});

/** The caller's sessions: list them, end one, end all others. */
export const sessionRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  signedIn({
    method: 'GET',
    path: '/api/auth/sessions',
    summary: 'List the live sessions, newest first',
    access: 'bearer',
    bucket: 'default',
    answers: {
      200: { description: 'The sessions; `current` marks the one that asks.', schema: sessionsAnswer },
    },
    run: async ({ who }) => ok(await accounts.listSessions(who)),
  }),
  signedIn({
    method: 'DELETE',
    path: '/api/auth/sessions',
    summary: 'End all other sessions; needs a fresh proof',
    access: 'bearer',
    bucket: 'default',
    answers: { 200: { description: 'They are over.', schema: successAnswer }, 403: staleAnswer() },
    run: async ({ who, caller }) => ok(await accounts.endOtherSessions(who, caller)),
  }),
  signedIn({
    method: 'DELETE',
    path: '/api/auth/sessions/{id}',
    summary: 'End one session; any but the one that calls needs a fresh proof',
    access: 'bearer',
    bucket: 'default',
    session: 'may end',
    params: sessionParams,
    answers: {
      200: { description: 'It is over.', schema: successAnswer },
      403: staleAnswer(),
      404: { description: 'The caller has no such session.', errors: ['session_not_found'] },
    },
    run: async ({ params, who, caller }) => ({
      ...ok(await accounts.endSession(who, params.id, caller)),
      endsSession: params.id === who.session.id,
    }),
  }),
];
