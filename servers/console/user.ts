import type { Accounts, Identity } from '../../core/index.ts';
import { ok } from '../http/answer.ts';
import type { AnyRoute, Call } from '../http/route.ts';
import { schemaOf } from '../http/schema.ts';
import { actBody, makeActRoute, view } from './act-route.ts';
import { actedAnswer, mailsOfUserAnswer, sessionsOfUserAnswer, userAnswer } from './answers/user.ts';
import { conflict, userId, userMissing, userParams } from './user-act.ts';

const sessionParams = schemaOf<{ readonly userId: string; readonly sid: string }>()({
  type: 'object',
  properties: {
    userId,
    sid: {
      type: 'string',
      maxLength: 64,
      description: 'From the list of sessions',
      examples: ['0199a0b1-77aa-7c01-8e55-2f1b9c3d4e5f'],
    },
  },
  required: ['userId', 'sid'],
});

/** One user, and what belongs to them. Each look at it is a line of the process log. */
export const userRoutes = (accounts: Accounts): readonly AnyRoute[] => {
  const { operate } = accounts;

  type UserCall = Call<undefined, unknown, { readonly userId: string }, Identity>;
  const noted = async <T>({ params, who, caller }: UserCall, what: string, found: T): Promise<T> => {
    await operate.noteView(params.userId, what, { actor: who.user.id, caller });
    return found;
  };

  return [
    view({
      path: '/api/admin/users/{userId}',
      summary: 'Show a user: access and why, sign-in, restrictions',
      params: userParams,
      answers: { 200: { description: 'The user.', schema: userAnswer }, 404: userMissing },
      run: async (call) =>
        ok({ user: await noted(call, 'user', await operate.showUser(call.params.userId)) }),
    }),
    view({
      path: '/api/admin/users/{userId}/sessions',
      summary: 'List the live sessions of a user, newest first',
      params: userParams,
      answers: { 200: { description: 'The sessions.', schema: sessionsOfUserAnswer }, 404: userMissing },
      run: async (call) =>
        ok({ sessions: await noted(call, 'sessions', await operate.listSessions(call.params.userId)) }),
    }),
    makeActRoute(accounts)({
      method: 'DELETE',
      path: '/api/admin/users/{userId}/sessions/{sid}',
      summary: 'End one session of a user',
      params: sessionParams,
      body: actBody,
      example: { body: { reason: 'A lost telephone' } },
      answers: {
        200: { description: 'The user as they are now.', schema: actedAnswer },
        404: {
          description: 'There is no such user or session.',
          errors: ['user_not_found', 'session_not_found'],
        },
        409: conflict(),
      },
      run: async ({ params }, by) => {
        const { changed } = await operate.endSession(params.userId, params.sid, by);
        return ok({ changed, user: await operate.showUser(params.userId) });
      },
    }),
    view({
      path: '/api/admin/users/{userId}/mails',
      summary: 'List the mails of the outbox to a user, newest first',
      params: userParams,
      answers: { 200: { description: 'The mails.', schema: mailsOfUserAnswer }, 404: userMissing },
      run: async (call) =>
        ok({ mails: await noted(call, 'mails', await operate.listMailsOf(call.params.userId)) }),
    }),
  ];
};
